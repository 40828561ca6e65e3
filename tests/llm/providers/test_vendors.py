from __future__ import annotations

import asyncio
import subprocess
import sys
from dataclasses import replace

import pytest

from speciate.errors import ConfigError, MissingExtraError, ModelRefusedError, ModelUnavailableError
from speciate.llm import VENDORS, LLMConfig, LLMPool, RetryConfig, open_llm, parse_spec
from speciate.records import Json, Message, Reply, Request, Sampling
from speciate.testing.fake_server import Behaviour, Kind, error
from speciate.testing.vendors import KEY, VENDED, Vended

CONFIG = LLMConfig(timeout=60, max_reply_bytes=100_000)
TALK = (
    Message("system", ("be ", "brief")),
    Message("user", ("first",)),
    Message("assistant", ("answer",)),
    Message("user", ("second",)),
)
ASK = Request(TALK, Sampling(max_tokens=777))
SCHEMA: dict[str, Json] = {
    "type": "object",
    "properties": {"a": {"type": "string"}},
    "required": ["a"],
    "additionalProperties": False,
}
EVERYTHING = replace(
    ASK,
    sampling=Sampling(
        max_tokens=8000,
        temperature=0.5,
        reasoning_effort="high",
        seed=3,
        grammar='root ::= "x"',
        json_schema=SCHEMA,
    ),
)
NONSENSE: tuple[Kind, ...] = ("cut", "garbage", "no_choices", "wrong_shape", "zipped")
EVERY_VENDOR = pytest.mark.parametrize("vended", VENDED, ids=lambda one: one.spec)


def ask(vended: Vended, request: Request = ASK, config: LLMConfig = CONFIG) -> Reply:
    async def once() -> Reply:
        llm = open_llm(vended.spec, config)
        try:
            return await llm.complete(request)
        finally:
            await llm.close()

    return asyncio.run(once())


def raised(vended: Vended, config: LLMConfig = CONFIG) -> ModelUnavailableError:
    with pytest.raises(ModelUnavailableError) as caught:
        ask(vended, config=config)
    return caught.value


def test_every_vendor_is_tested() -> None:
    assert {parse_spec(vended.spec).kind for vended in VENDED} == set(VENDORS)


@EVERY_VENDOR
def test_an_answer_comes_back_with_all_its_tokens_and_its_price(
    vended: Vended, monkeypatch: pytest.MonkeyPatch
) -> None:
    with vended.served(monkeypatch, [Behaviour(text="hi")]) as server:
        reply = ask(vended)
        (received,) = server.received
    assert received.path == vended.path
    assert server.key_of(received) == KEY
    assert "777" in repr(received.body)
    assert (reply.text, reply.error, reply.retries) == ("hi", None, 0)
    assert parse_spec(vended.spec).model in reply.model
    usage = reply.usage
    assert (usage.calls, usage.input_tokens, usage.output_tokens, usage.cached_tokens) == (1, 100, 20, 40)
    assert usage.cost is not None
    assert usage.cost > 0


@EVERY_VENDOR
def test_nothing_streams_and_no_setting_is_sent_that_was_not_asked_for(
    vended: Vended, monkeypatch: pytest.MonkeyPatch
) -> None:
    with vended.served(monkeypatch) as server:
        reply = ask(vended, Request((Message("user", ("hello",)),), Sampling(max_tokens=100_000)))
        (received,) = server.received
    assert reply.error is None
    assert not received.body.get("stream")
    assert reply.dropped == ()
    assert not {"temperature", "thinking", "reasoning", "reasoning_effort", "seed"} & set(reply.sent)


@EVERY_VENDOR
def test_settings_are_fitted_to_what_the_vendor_takes_and_the_rest_is_named(
    vended: Vended, monkeypatch: pytest.MonkeyPatch
) -> None:
    with vended.served(monkeypatch) as server:  # which refuses what does not go together
        reply = ask(vended, EVERYTHING)
        (received,) = server.received
    assert reply.error is None
    assert "grammar" in reply.dropped
    assert all(repr(value) in repr(received.body) for value in reply.sent.values())
    assert "brief" not in repr(reply.sent)


@EVERY_VENDOR
def test_a_busy_vendor_may_name_a_time_and_bills_nothing(
    vended: Vended, monkeypatch: pytest.MonkeyPatch
) -> None:
    with vended.served(monkeypatch, otherwise=error(429, "slow down", retry_after="7")) as server:
        busy = raised(vended)
        assert len(server.received) == 1
    assert (busy.retry_after, busy.may_bill) == (7.0, False)


@EVERY_VENDOR
@pytest.mark.parametrize("status", [500, 503])
def test_a_broken_vendor_is_asked_once_a_call(
    vended: Vended, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    with vended.served(monkeypatch, otherwise=error(status)) as server:
        assert not raised(vended).may_bill
        assert len(server.received) == 1


@EVERY_VENDOR
@pytest.mark.parametrize("status", [400, 401, 403, 404])
def test_what_will_not_pass_is_a_refusal_without_the_key(
    vended: Vended, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (
        vended.served(monkeypatch, [error(status, f"no such thing for {KEY}")]),
        pytest.raises(ModelRefusedError, match="no such thing for") as refused,
    ):
        ask(vended)
    assert KEY not in str(refused.value)


@EVERY_VENDOR
@pytest.mark.parametrize("kind", NONSENSE)
def test_replies_that_make_no_sense_are_unavailable_and_may_be_billed(
    vended: Vended, kind: Kind, monkeypatch: pytest.MonkeyPatch
) -> None:
    with vended.served(monkeypatch, [Behaviour(kind)]):
        assert raised(vended).may_bill


@EVERY_VENDOR
def test_an_endless_reply_is_not_read_to_its_end(vended: Vended, monkeypatch: pytest.MonkeyPatch) -> None:
    with vended.served(monkeypatch, [Behaviour("huge")]) as server:
        assert "too large" in str(raised(vended))
        assert server.bytes_sent < 50 * 2**20


@EVERY_VENDOR
def test_a_silent_vendor_runs_into_the_time_limit(vended: Vended, monkeypatch: pytest.MonkeyPatch) -> None:
    with vended.served(monkeypatch, [Behaviour("hang")]):
        silent = raised(vended, LLMConfig(timeout=0.3))
    assert "within 0.3 s" in str(silent)


@EVERY_VENDOR
def test_a_vendor_that_is_not_there_bills_nothing(vended: Vended, monkeypatch: pytest.MonkeyPatch) -> None:
    with vended.served(monkeypatch):
        pass
    assert not raised(vended).may_bill


@EVERY_VENDOR
@pytest.mark.parametrize(
    ("behaviour", "words"),
    [
        (Behaviour(text=""), "empty"),
        (Behaviour(text="", finish="length"), "empty"),
        (Behaviour(text="", finish="content_filter"), "refused"),
    ],
)
def test_empty_and_filtered_answers_are_paid_replies_with_an_error(
    vended: Vended, behaviour: Behaviour, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with vended.served(monkeypatch, [behaviour]):
        reply = ask(vended)
    assert reply.error is not None
    assert words in reply.error
    assert reply.usage.output_tokens == 20


@EVERY_VENDOR
def test_uncounted_tokens_are_estimated_from_above(vended: Vended, monkeypatch: pytest.MonkeyPatch) -> None:
    with vended.served(monkeypatch, [Behaviour(text="one two three", count_tokens=False)]):
        usage = ask(vended).usage
    assert usage.input_tokens >= 10
    assert usage.output_tokens >= 4


@EVERY_VENDOR
def test_a_vendor_that_repeats_the_key_does_not_get_it_into_the_reply(
    vended: Vended, monkeypatch: pytest.MonkeyPatch
) -> None:
    with vended.served(monkeypatch, [Behaviour(text=f"your key is {KEY}")]):
        reply = ask(vended)
    assert reply.text == "your key is [redacted]"
    assert KEY not in repr(reply) + repr(vars(open_llm(vended.spec, CONFIG)))


@EVERY_VENDOR
def test_the_pool_retries_and_counts_what_was_lost_at_its_worst(
    vended: Vended, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def once() -> Reply:
        config = LLMConfig(timeout=60, retry=RetryConfig(first_wait=0, max_wait=0))
        pool = LLMPool([vended.spec], config)
        reply = await pool.complete(vended.spec, ASK)
        await pool.close()
        return reply

    with vended.served(monkeypatch, [error(429), Behaviour("garbage")]) as server:
        reply = asyncio.run(once())
        assert len(server.received) == 3
    assert (reply.retries, reply.usage.calls, reply.error) == (2, 3, None)
    assert reply.usage.output_tokens == 777 + 20


@EVERY_VENDOR
def test_a_missing_key_is_told_before_anything_is_sent(
    vended: Vended, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in VENDORS[parse_spec(vended.spec).kind].credentials:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", "/nonexistent")
    with pytest.raises(ConfigError, match=vended.key):
        open_llm(vended.spec, CONFIG)


@EVERY_VENDOR
@pytest.mark.parametrize("key", ["two\nlines", 'with"quote', "ünicode", "back\\slash"])
def test_a_key_that_no_header_can_carry_is_not_tried_and_not_shown(
    vended: Vended, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(vended.key, key)
    with pytest.raises(ConfigError, match=vended.key) as refused:
        open_llm(vended.spec, CONFIG)
    assert key not in str(refused.value)


@EVERY_VENDOR
def test_absent_libraries_name_the_extra(vended: Vended, monkeypatch: pytest.MonkeyPatch) -> None:
    absent = VENDORS[parse_spec(vended.spec).kind].packages[0]
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None if name == absent else object())
    with vended.served(monkeypatch), pytest.raises(MissingExtraError, match=r"speciate\[llm\]"):
        open_llm(vended.spec, CONFIG)


@EVERY_VENDOR
def test_sixty_four_calls_are_in_flight_at_once(vended: Vended, monkeypatch: pytest.MonkeyPatch) -> None:
    async def all_at_once() -> list[Reply]:
        pool = LLMPool([vended.spec], CONFIG)
        replies = await asyncio.gather(*(pool.complete(vended.spec, ASK, repeat=i) for i in range(64)))
        await pool.close()
        return replies

    with vended.served(monkeypatch) as server:
        server.hold(64)
        replies = asyncio.run(all_at_once())
        assert server.most_at_once == 64
    assert [reply.error for reply in replies] == [None] * 64


def test_opening_every_vendors_model_imports_no_library(monkeypatch: pytest.MonkeyPatch) -> None:
    program = (
        "import sys; from speciate.llm import LLMConfig, open_llm; "
        "[open_llm(spec, LLMConfig()) for spec in sys.argv[1:]]; "
        "print({'pydantic_ai', 'openai', 'anthropic', 'google.genai', 'boto3', 'botocore'}"
        " & set(sys.modules))"
    )
    for vended in VENDED:
        with vended.served(monkeypatch):
            pass
    specs = [vended.spec for vended in VENDED]
    done = subprocess.run([sys.executable, "-c", program, *specs], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
