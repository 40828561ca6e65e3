from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from speciate.errors import ModelRefusedError, ModelUnavailableError
from speciate.llm import LLMConfig, open_llm
from speciate.llm.spool import question_id
from speciate.records import Message, Reply, Request, Sampling

ASK = Request(
    (Message("user", ("what now?",)),), Sampling(max_tokens=9, temperature=0.5, json_schema={"a": 1})
)
NAME = question_id(ASK, 0)
PATIENT = LLMConfig(spool_poll=0.01)
HASTY = LLMConfig(spool_poll=0.01, spool_timeout=0.1)


def ask(folder: Path, config: LLMConfig = PATIENT, *, repeat: int = 0) -> Reply:
    return asyncio.run(open_llm(f"spool:{folder}", config).complete(ASK, repeat=repeat))


def answer(folder: Path, text: str, name: str = NAME) -> None:
    (folder / "answered").mkdir(parents=True, exist_ok=True)
    (folder / "answered" / f"{name}.reply.md").write_text(text)


def test_a_question_is_a_prompt_and_its_facts(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailableError, match=NAME):
        ask(tmp_path, HASTY)
    assert (tmp_path / "asked" / f"{NAME}.prompt.md").read_text() == "what now?\n"
    facts = json.loads((tmp_path / "asked" / f"{NAME}.json").read_text())
    assert facts["sampling"]["max_tokens"] == 9
    assert facts["answer"] == f"answered/{NAME}.reply.md"
    assert sorted(path.name for path in (tmp_path / "asked").iterdir()) == [
        f"{NAME}.json",
        f"{NAME}.prompt.md",
    ]


def test_an_answer_given_while_nobody_waited_is_found(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailableError):
        ask(tmp_path, HASTY)
    answer(tmp_path, "this\n")
    assert ask(tmp_path).text == "this\n"


def test_after_a_restart_the_question_is_not_asked_again(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailableError):
        ask(tmp_path, HASTY)
    asked = tmp_path / "asked" / f"{NAME}.prompt.md"
    before = asked.stat()
    with pytest.raises(ModelUnavailableError):
        ask(tmp_path, HASTY)
    assert (asked.stat().st_ino, asked.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_what_was_answered_is_open_no_more_and_is_not_asked_again(tmp_path: Path) -> None:
    answer(tmp_path, "this\n")
    assert [ask(tmp_path).text, ask(tmp_path).text] == ["this\n", "this\n"]
    assert not list((tmp_path / "asked").iterdir())
    kinds = ("json", "prompt.md", "reply.md")
    assert sorted(path.name for path in (tmp_path / "answered").iterdir()) == [
        f"{NAME}.{kind}" for kind in kinds
    ]


def test_the_folder_says_how_to_answer(tmp_path: Path) -> None:
    open_llm(f"spool:{tmp_path}", PATIENT)
    assert "answered/<id>.reply.md" in (tmp_path / "README.md").read_text()


def test_a_crash_between_the_two_files_is_mended(tmp_path: Path) -> None:
    (tmp_path / "asked").mkdir()
    (tmp_path / "asked" / f".{NAME}.prompt.md.partial").write_text("wha")
    (tmp_path / "asked" / f"{NAME}.prompt.md").write_text("what now?\n")
    answer(tmp_path, "this\n")
    ask(tmp_path)
    assert (tmp_path / "answered" / f"{NAME}.json").exists()


def test_repeats_are_questions_of_their_own(tmp_path: Path) -> None:
    answer(tmp_path, "first")
    answer(tmp_path, "second", question_id(ASK, 1))
    assert [ask(tmp_path).text, ask(tmp_path, repeat=1).text] == ["first", "second"]


def test_an_answer_that_still_grows_is_waited_for(tmp_path: Path) -> None:
    async def slow_writer(waiting: asyncio.Task[Reply]) -> None:
        for length in range(1, 30):
            answer(tmp_path, "x" * length)
            await asyncio.sleep(0.01)
            if waiting.done():
                break

    async def both() -> Reply:
        config = LLMConfig(spool_poll=0.1)
        waiting = asyncio.create_task(open_llm(f"spool:{tmp_path}", config).complete(ASK))
        await slow_writer(waiting)
        return await waiting

    assert asyncio.run(both()).text == "x" * 29


def test_unusable_answers_are_refused(tmp_path: Path) -> None:
    answer(tmp_path, "x" * 2000)
    with pytest.raises(ModelRefusedError, match="2000 bytes"):
        ask(tmp_path, LLMConfig(spool_poll=0.01, max_reply_bytes=1024))
    (tmp_path / "answered" / f"{NAME}.reply.md").write_bytes(b"\xff\xfe")
    with pytest.raises(ModelRefusedError, match="UTF-8"):
        ask(tmp_path)


def test_an_empty_answer_is_a_reply_with_an_error(tmp_path: Path) -> None:
    answer(tmp_path, "\n")
    assert ask(tmp_path).error == "the answer is empty"
