from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

from speciate.errors import ConfigError, MissingExtraError, ModelRefusedError, ModelUnavailableError
from speciate.llm import LLMConfig, LLMPool, RetryConfig, open_llm
from speciate.records import Message, Reply, Request, Sampling
from speciate.testing.fake_openai import Behaviour, FakeOpenAI, Kind, error

CONFIG = LLMConfig(timeout=60, max_reply_bytes=100_000)
KEY = "a key that looks like nothing"
TALK = (
    Message("system", ("be ", "brief")),
    Message("user", ("first",)),
    Message("assistant", ("answer",)),
    Message("user", ("second",)),
)
ASK = Request(TALK, Sampling(max_tokens=77, temperature=0.5))
EVERYTHING = replace(
    ASK,
    sampling=Sampling(
        max_tokens=77,
        temperature=0.5,
        reasoning_effort="high",
        seed=3,
        grammar='root ::= "x"',
        json_schema={"type": "object"},
    ),
)
NONSENSE: tuple[Kind, ...] = ("cut", "garbage", "no_choices", "wrong_shape", "zipped")
APIS = pytest.mark.parametrize("api", ["chat", "completions"])


def ask(spec: str, request: Request = ASK, config: LLMConfig = CONFIG) -> Reply:
    async def once() -> Reply:
        llm = open_llm(spec, config)
        try:
            return await llm.complete(request)
        finally:
            await llm.close()

    return asyncio.run(once())


def ask_local(behaviour: Behaviour, *, api: str = "chat", config: LLMConfig = CONFIG) -> Reply:
    with FakeOpenAI([behaviour]) as server:
        return ask(f"local:gemma@{server.url}?api={api}", config=config)


@pytest.fixture
def openai(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeOpenAI]:
    with FakeOpenAI() as server:
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        yield server


def test_a_chat_goes_out_message_by_message_and_comes_back_with_its_usage() -> None:
    with FakeOpenAI([Behaviour(text="hi")]) as server:
        reply = ask(f"local:gemma@{server.url}")
        (received,) = server.received
    assert received.path == "/v1/chat/completions"
    assert received.body["messages"] == [{"role": m.role, "content": m.text} for m in TALK]
    assert received.body["max_tokens"] == 77
    assert (reply.text, reply.model, reply.finish) == ("hi", "gemma-served", "stop")
    usage = reply.usage
    assert (usage.input_tokens, usage.output_tokens) == (100, 20)
    assert (usage.cached_tokens, usage.reasoning_tokens) == (40, 5)


def test_plain_completions_continue_the_texts() -> None:
    with FakeOpenAI([Behaviour(text="hi")]) as server:
        reply = ask(f"local:gemma@{server.url}?api=completions")
        (received,) = server.received
    assert received.path == "/v1/completions"
    assert received.body["prompt"] == "be brief\n\nfirst\n\nanswer\n\nsecond"
    assert (reply.text, reply.usage.output_tokens) == ("hi", 20)


@APIS
@pytest.mark.parametrize("takes", [True, False])
def test_a_grammar_goes_only_to_servers_that_are_said_to_take_one(api: str, takes: bool) -> None:
    with FakeOpenAI() as server:
        option = "&grammar=on" if takes else ""
        reply = ask(f"local:gemma@{server.url}?api={api}{option}", EVERYTHING)
        (received,) = server.received
    assert received.body.get("grammar") == (EVERYTHING.sampling.grammar if takes else None)
    assert ("grammar" in reply.dropped) != takes


def test_a_local_server_gets_every_setting_and_the_reply_shows_what_was_sent() -> None:
    with FakeOpenAI() as server:
        reply = ask(f"local:gpt-5-mini@{server.url}?grammar=on", EVERYTHING)
        (received,) = server.received
    assert reply.dropped == ()
    assert set(reply.sent) == set(received.body) - {"model", "messages", "stream"}
    assert received.body["grammar"] == 'root ::= "x"'
    assert (reply.sent["temperature"], reply.sent["reasoning_effort"], reply.sent["seed"]) == (0.5, "high", 3)


@pytest.mark.parametrize(
    ("model", "dropped"),
    [
        ("gpt-5-mini", ("temperature", "grammar")),
        ("o3", ("temperature", "grammar")),
        ("gpt-4.1", ("reasoning_effort", "grammar")),
    ],
)
def test_settings_that_a_vendors_model_refuses_are_dropped_and_named(
    openai: FakeOpenAI, model: str, dropped: Sequence[str]
) -> None:
    reply = ask(f"openai:{model}", EVERYTHING)
    (received,) = openai.received
    assert reply.dropped == dropped
    assert not set(dropped) & set(received.body)
    assert received.body["max_completion_tokens"] == 77


def test_temperature_stays_where_no_effort_is_set_and_the_model_can_do_without(openai: FakeOpenAI) -> None:
    assert ask("openai:gpt-5.1").sent["temperature"] == 0.5
    assert ask("openai:gpt-5-mini").dropped == ("temperature",)


def test_a_vendors_reply_is_priced_from_the_public_list(openai: FakeOpenAI) -> None:
    cost = ask("openai:gpt-5-mini").usage.cost
    assert cost == pytest.approx((60 * 0.25 + 40 * 0.025 + 20 * 2.0) / 1e6)


def test_a_key_is_needed_before_anything_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(ConfigError, match="OPENAI_API_KEY"):
        open_llm("openai:gpt-5-mini", CONFIG)


def test_a_key_goes_into_the_header_and_nowhere_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_SERVER", KEY)
    with FakeOpenAI([error(401, f"wrong key {KEY}"), Behaviour()]) as server:
        spec = f"local:gemma@{server.url}?key=MY_SERVER"
        with pytest.raises(ModelRefusedError) as refused:
            ask(spec)
        reply = ask(spec)
        assert server.received[0].headers["authorization"] == f"Bearer {KEY}"
    assert KEY not in str(refused.value)
    assert KEY not in repr(reply) + repr(vars(open_llm(spec, CONFIG)))


def test_a_password_in_a_spec_is_refused() -> None:
    with pytest.raises(ConfigError, match="password"):
        open_llm("local:gemma@http://me:secret@127.0.0.1:1/v1", CONFIG)


@APIS
@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 529])
def test_statuses_that_may_pass_are_unavailable_and_not_billed(status: int, api: str) -> None:
    with pytest.raises(ModelUnavailableError, match=str(status)) as raised:
        ask_local(error(status), api=api)
    assert not raised.value.may_bill


@APIS
@pytest.mark.parametrize("status", [400, 401, 403, 404, 422])
def test_statuses_that_will_not_pass_are_refusals(status: int, api: str) -> None:
    with pytest.raises(ModelRefusedError, match="no such thing"):
        ask_local(error(status, "no such thing"), api=api)


@APIS
def test_an_empty_purse_is_not_worth_another_try(api: str) -> None:
    with pytest.raises(ModelRefusedError, match="insufficient_quota"):
        ask_local(error(429, code="insufficient_quota"), api=api)


@APIS
@pytest.mark.parametrize(
    ("header", "seconds"), [("7", 7.0), ("Wed, 21 Oct 2026 07:28:00 GMT", None), ("-1", None)]
)
def test_the_server_may_name_a_time_to_wait(header: str, seconds: float | None, api: str) -> None:
    with pytest.raises(ModelUnavailableError) as raised:
        ask_local(error(429, retry_after=header), api=api)
    assert raised.value.retry_after == seconds


@APIS
@pytest.mark.parametrize("kind", NONSENSE)
def test_replies_that_make_no_sense_are_unavailable_and_may_be_billed(kind: Kind, api: str) -> None:
    with pytest.raises(ModelUnavailableError) as raised:
        ask_local(Behaviour(kind), api=api)
    assert raised.value.may_bill


@APIS
def test_a_silent_server_runs_into_the_time_limit(api: str) -> None:
    with pytest.raises(ModelUnavailableError, match=r"within 0\.5 s") as raised:
        ask_local(Behaviour("hang"), api=api, config=LLMConfig(timeout=0.5))
    assert raised.value.may_bill


def test_a_server_that_is_not_there_is_unavailable_and_not_billed() -> None:
    with FakeOpenAI() as server:
        gone = server.url
    with pytest.raises(ModelUnavailableError) as raised:
        ask(f"local:gemma@{gone}")
    assert not raised.value.may_bill


@APIS
def test_an_endless_reply_is_not_read_to_its_end(api: str) -> None:
    with FakeOpenAI([Behaviour("huge")]) as server:
        with pytest.raises(ModelUnavailableError, match="too large"):
            ask(f"local:gemma@{server.url}?api={api}")
        assert server.bytes_sent < 50 * 2**20


@pytest.mark.parametrize(
    "behaviour",
    [Behaviour(text=""), Behaviour(text=" \n", finish="length"), Behaviour(refusal="I will not")],
)
def test_empty_and_refused_answers_are_paid_replies_with_an_error(behaviour: Behaviour) -> None:
    reply = ask_local(behaviour)
    assert reply.error is not None
    assert (behaviour.refusal or "empty") in reply.error
    assert reply.usage.output_tokens == 20


@APIS
def test_filtered_answers_say_so(api: str) -> None:
    reply = ask_local(Behaviour(text="", finish="content_filter"), api=api)
    assert reply.error == "the model refused: content filter"


@APIS
def test_uncounted_tokens_are_estimated_from_above(api: str) -> None:
    usage = ask_local(Behaviour(text="one two three", count_tokens=False), api=api).usage
    assert usage.input_tokens >= 10
    assert usage.output_tokens >= 4


@APIS
def test_half_a_surrogate_pair_is_replaced(api: str) -> None:
    assert ask_local(Behaviour(text="a\ud800b"), api=api).text == "a?b"


@APIS
def test_a_prompt_that_is_no_unicode_is_refused_and_not_sent(api: str) -> None:
    with FakeOpenAI() as server:
        with pytest.raises(ModelRefusedError, match="surrogate"):
            ask(f"local:gemma@{server.url}?api={api}", Request((Message("user", ("a\ud800b",)),)))
        assert server.received == []


def test_a_server_on_this_machine_is_reached_without_a_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    assert ask_local(Behaviour(text="hi")).text == "hi"


def test_another_server_is_reached_through_the_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    with FakeOpenAI([Behaviour(text="hi")]) as proxy:
        monkeypatch.setenv("http_proxy", proxy.url.removesuffix("/v1"))
        monkeypatch.delenv("no_proxy", raising=False)
        monkeypatch.delenv("NO_PROXY", raising=False)
        assert ask("local:gemma@http://model.invalid/v1").text == "hi"
        assert proxy.received[0].path == "http://model.invalid/v1/chat/completions"


def test_nothing_retries_behind_our_back() -> None:
    with FakeOpenAI(otherwise=error(500)) as server:
        with pytest.raises(ModelUnavailableError):
            ask(f"local:gemma@{server.url}")
        assert len(server.received) == 1


def test_the_pool_retries_and_counts_lost_answers_at_their_worst() -> None:
    config = LLMConfig(timeout=60, retry=RetryConfig(first_wait=0, max_wait=0))
    with FakeOpenAI([error(429), Behaviour("garbage"), Behaviour()]) as server:
        spec = f"local:gemma@{server.url}"

        async def once() -> Reply:
            pool = LLMPool([spec], config)
            reply = await pool.complete(spec, ASK)
            await pool.close()
            return reply

        reply = asyncio.run(once())
    assert (reply.retries, reply.usage.calls, reply.error) == (2, 3, None)
    assert reply.usage.output_tokens == 77 + 20


def test_sixty_four_calls_are_in_flight_at_once() -> None:
    with FakeOpenAI() as server:
        server.hold(64)
        spec = f"local:gemma@{server.url}"

        async def all_at_once() -> list[Reply]:
            pool = LLMPool([spec], CONFIG)
            replies = await asyncio.gather(*(pool.complete(spec, ASK, repeat=i) for i in range(64)))
            await pool.close()
            return replies

        replies = asyncio.run(all_at_once())
        assert server.most_at_once == 64
    assert all(reply.error is None for reply in replies)


def test_calls_in_flight_to_one_server_are_bounded() -> None:
    with FakeOpenAI() as server:
        specs = [f"local:{model}@{server.url}" for model in ("gemma", "qwen")]

        async def all_at_once() -> None:
            pool = LLMPool(specs, LLMConfig(timeout=60, in_flight=3))
            await asyncio.gather(*(pool.complete(specs[i % 2], ASK, repeat=i) for i in range(12)))
            await pool.close()

        asyncio.run(all_at_once())
        assert (len(server.received), server.most_at_once <= 3) == (12, True)


@pytest.mark.parametrize("module", ["pydantic_ai", "openai"])
def test_absent_libraries_name_the_extra(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None if name == module else object())
    with pytest.raises(MissingExtraError, match=r"speciate\[llm\]"):
        open_llm("local:gemma@http://127.0.0.1:1/v1", CONFIG)


def test_heavy_libraries_wait_for_the_first_request() -> None:
    program = (
        "import sys; from speciate.llm import LLMConfig, open_llm; "
        "open_llm('local:gemma@http://127.0.0.1:1/v1', LLMConfig()); "
        "print({'pydantic_ai', 'openai', 'httpx2', 'genai_prices'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
