"""What one vendor does and no other."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from speciate.errors import ConfigError, ModelRefusedError, ModelUnavailableError
from speciate.llm import LLMConfig, open_llm
from speciate.records import Message, Reply, Request
from speciate.testing.fake_openai import FakeOpenAI
from speciate.testing.fake_server import Behaviour, error
from speciate.testing.vendors import KEY, VENDED, Vended

ASK = Request((Message("user", ("hello",)),))


def ask(spec: str, behaviours: Sequence[Behaviour], monkeypatch: pytest.MonkeyPatch) -> Reply:
    vended = next(each for each in VENDED if each.spec.startswith(spec))
    with vended.served(monkeypatch, behaviours):
        return asyncio.run(once(vended.spec))


async def once(spec: str) -> Reply:
    llm = open_llm(spec, LLMConfig(timeout=60))
    try:
        return await llm.complete(ASK)
    finally:
        await llm.close()


def test_google_names_the_time_to_wait_in_the_body(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ModelUnavailableError) as busy:
        ask("google:", [error(429, code="RESOURCE_EXHAUSTED", retry_delay="12.5")], monkeypatch)
    assert busy.value.retry_after == 12.5


def test_google_says_why_it_blocked_a_prompt(monkeypatch: pytest.MonkeyPatch) -> None:
    reply = ask("google:", [Behaviour(refusal="too dangerous")], monkeypatch)
    assert reply.error == "the model refused: too dangerous"


@pytest.mark.parametrize("status", [400, 402, 403])
def test_openrouters_failures_with_status_200_are_judged_by_the_status_inside(
    status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ModelRefusedError, match=f"status {status}.*no credits"):
        ask("openrouter:", [Behaviour(text="no credits", finish="error", status=status)], monkeypatch)


@pytest.mark.parametrize("status", [429, 502])
def test_openrouters_passing_failures_are_worth_another_try(
    status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ModelUnavailableError, match=f"status {status}"):
        ask("openrouter:", [Behaviour(text="later", finish="error", status=status)], monkeypatch)


def test_azure_filters_a_prompt_with_status_400(monkeypatch: pytest.MonkeyPatch) -> None:
    reply = ask("azure:", [error(400, "filtered", code="content_filter")], monkeypatch)
    assert reply.error == "the model refused: content filter"


@pytest.mark.parametrize("path", ["", "/", "/openai/v1", "/openai/v1/"])
def test_azures_address_may_be_given_with_or_without_its_path(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    vended = next(each for each in VENDED if each.spec == "azure:gpt-5-mini")
    with vended.served(monkeypatch) as server:
        monkeypatch.setenv(vended.address, server.address + path)
        asyncio.run(once(vended.spec))
    assert server.received[0].path == vended.path


def test_azure_needs_an_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AZURE_OPENAI_API_KEY", KEY)
    monkeypatch.delenv("AZURE_OPENAI_ENDPOINT", raising=False)
    with pytest.raises(ConfigError, match="AZURE_OPENAI_ENDPOINT"):
        open_llm("azure:gpt-5-mini", LLMConfig())


def test_openai_is_told_to_keep_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    vended = next(each for each in VENDED if each.spec == "openai:gpt-5-mini?api=responses")
    with vended.served(monkeypatch) as server:
        asyncio.run(once(vended.spec))
    assert server.received[0].body["store"] is False


@pytest.mark.parametrize("spec", ["openai:m?api=talk", "anthropic:m?api=chat", "google:m?key=X"])
def test_options_that_a_vendor_does_not_have_are_told(spec: str) -> None:
    with pytest.raises(ConfigError, match=r"unknown option|must be one of"):
        open_llm(spec, LLMConfig())


@pytest.mark.parametrize("vended", VENDED, ids=lambda one: one.spec)
def test_a_wrong_key_is_refused_and_not_repeated(vended: Vended, monkeypatch: pytest.MonkeyPatch) -> None:
    with vended.served(monkeypatch), vended.fake(key="another") as server:
        monkeypatch.setenv(vended.address, server.url)
        with pytest.raises(ModelRefusedError, match="status 401") as refused:
            asyncio.run(once(vended.spec))
    assert KEY not in str(refused.value)


@pytest.mark.parametrize("vended", VENDED, ids=lambda one: one.spec)
def test_an_unknown_model_is_refused_and_named(vended: Vended, monkeypatch: pytest.MonkeyPatch) -> None:
    with vended.served(monkeypatch), vended.fake(models=["another"]) as server:
        monkeypatch.setenv(vended.address, server.url)
        with pytest.raises(ModelRefusedError, match=r"status 404.*there is no model"):
            asyncio.run(once(vended.spec))


@pytest.mark.parametrize("status", [302, 307])
@pytest.mark.parametrize("vended", VENDED, ids=lambda vended: vended.spec)
def test_a_redirect_is_not_followed_and_carries_no_key_elsewhere(
    vended: Vended, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    with FakeOpenAI() as elsewhere:
        turn = error(status, "over there", location=f"{elsewhere.url}/chat/completions")
        with (
            vended.served(monkeypatch, otherwise=turn) as server,
            pytest.raises(ModelRefusedError, match=f"status {status}"),
        ):
            asyncio.run(once(vended.spec))
        assert len(server.received) == 1
        assert not elsewhere.received
