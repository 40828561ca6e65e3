from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from speciate.errors import CassetteMissError, ConfigError
from speciate.llm import Cassette, LLMConfig, LLMPool, ModelPrice, Recording, RetryConfig, Take, open_llm
from speciate.records import Message, Reply, Request, Usage

ASK = Request((Message("user", ("hello",)),))
OTHER = Request((Message("user", ("something else",)),))


def take(text: str, *, spec: str = "openai:a", request: Request = ASK, repeat: int = 0) -> Take:
    reply = Reply(
        text, "a-served", Usage(2, 10, 5, cost=0.25), sent={"max_tokens": 5}, dropped=("seed",), retries=1
    )
    return Take(spec, request.hash, repeat, reply)


def record(path: Path, *takes: Take) -> None:
    recording = Recording(path)
    for one in takes:
        asyncio.run(recording.append(one))
    recording.close()


def test_a_recorded_reply_comes_back_whole(tmp_path: Path) -> None:
    record(tmp_path / "tape", take("one"), take("two", repeat=1))
    cassette = Cassette(tmp_path / "tape")
    assert cassette.find("openai:a", ASK, 0) == take("one").reply
    assert cassette.find("openai:a", ASK, 1).text == "two"


def test_a_miss_says_which_request(tmp_path: Path) -> None:
    record(tmp_path / "tape", take("one"))
    replay = open_llm(f"replay:{tmp_path / 'tape'}", LLMConfig())
    for request, repeat in ((OTHER, 0), (ASK, 1)):
        with pytest.raises(CassetteMissError, match=request.hash):
            asyncio.run(replay.complete(request, repeat=repeat))


def test_a_replay_costs_nothing(tmp_path: Path) -> None:
    record(tmp_path / "tape", take("one"))
    reply = asyncio.run(open_llm(f"replay:{tmp_path / 'tape'}", LLMConfig()).complete(ASK))
    assert reply.usage == Usage(2, 10, 5, cost=0.0)


def test_of_several_models_one_must_be_named(tmp_path: Path) -> None:
    record(tmp_path / "tape", take("one"), take("two", spec="openai:b"))
    with pytest.raises(ConfigError, match="openai:a, openai:b"):
        open_llm(f"replay:{tmp_path / 'tape'}", LLMConfig())
    replay = open_llm(f"replay:{tmp_path / 'tape'}?model=openai:b", LLMConfig())
    assert asyncio.run(replay.complete(ASK)).text == "two"


def test_the_last_take_counts(tmp_path: Path) -> None:
    record(tmp_path / "tape", take("before the crash"), take("after"))
    assert Cassette(tmp_path / "tape").find("openai:a", ASK, 0).text == "after"


def test_a_torn_last_line_is_left_out_and_cut_off_before_the_next(tmp_path: Path) -> None:
    path = tmp_path / "tape"
    record(path, take("one"))
    with path.open("ab") as file:
        file.write(b'{"spec": "openai:a", "requ')
    assert Cassette(path).find("openai:a", ASK, 0).text == "one"
    record(path, take("two", repeat=1))
    assert [Cassette(path).find("openai:a", ASK, i).text for i in (0, 1)] == ["one", "two"]


def test_a_damaged_line_in_the_middle_is_an_error_with_its_number(tmp_path: Path) -> None:
    path = tmp_path / "tape"
    record(path, take("one"))
    path.write_bytes(path.read_bytes() + b"nonsense\n" + path.read_bytes())
    with pytest.raises(ConfigError, match="line 2"):
        Cassette(path)


def test_no_secret_is_recorded_and_only_the_owner_may_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "hunter2hunter2")
    record(tmp_path / "tape", take("the key is hunter2hunter2"))
    assert "hunter2" not in (tmp_path / "tape").read_text()
    assert (tmp_path / "tape").stat().st_mode & 0o077 == 0


def test_lines_of_concurrent_calls_do_not_mix(tmp_path: Path) -> None:
    async def together(recording: Recording) -> None:
        await asyncio.gather(*(recording.append(take("x" * 5000, repeat=i)) for i in range(50)))

    recording = Recording(tmp_path / "tape")
    asyncio.run(together(recording))
    recording.close()
    repeats = [json.loads(line)["repeat"] for line in (tmp_path / "tape").read_text().splitlines()]
    assert sorted(repeats) == list(range(50))


def complete_all(specs: list[str], config: LLMConfig, count: int) -> list[Reply]:
    async def all_in_order() -> list[Reply]:
        pool = LLMPool(specs, config)
        replies = [await pool.complete(spec, ASK, repeat=i) for spec in specs for i in range(count)]
        await pool.close()
        await pool.close()
        return replies

    return asyncio.run(all_in_order())


def test_a_pool_replays_what_it_recorded_failures_and_costs_included(tmp_path: Path) -> None:
    script = tmp_path / "script.jsonl"
    script.write_text('{"error": "unavailable"}\n{"reply": "yes"}\n{"error": "refused"}\n')
    spec = f"scripted:{script}"
    retry = RetryConfig(first_wait=0)
    prices = {spec: ModelPrice(input=1, output=1)}
    tape = tmp_path / "tape"
    said = complete_all([spec], LLMConfig(record=tape, retry=retry, prices=prices), 2)
    script.unlink()
    assert [reply.error is None for reply in said] == [True, False]
    assert said[0].usage.cost
    assert complete_all([spec], LLMConfig(replay=tape), 2) == said


def test_a_replaying_pool_needs_no_keys_and_never_asks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    record(tmp_path / "tape", take("one"))
    config = LLMConfig(replay=tmp_path / "tape")
    assert complete_all(["openai:a"], config, 1)[0].text == "one"
    with pytest.raises(CassetteMissError):
        complete_all(["openai:a"], config, 2)


def test_recording_and_replaying_exclude_each_other(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="exclude"):
        LLMConfig(record=tmp_path / "a", replay=tmp_path / "b")
