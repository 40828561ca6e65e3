from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from speciate.errors import ConfigError
from speciate.llm import LLMConfig, LLMPool, ModelPrice, RetryConfig
from speciate.records import Message, Reply, Request

QUICK = RetryConfig(first_wait=0, max_wait=0)
ASK = Request((Message("user", ("hello",)),))


def pool(tmp_path: Path, script: str, config: LLMConfig | None = None) -> tuple[LLMPool, str]:
    path = tmp_path / "script.jsonl"
    path.write_text(script)
    spec = f"scripted:{path}"
    return LLMPool([spec], config or LLMConfig(retry=QUICK)), spec


def ask(models: LLMPool, spec: str, *, tries: int | None = None) -> Reply:
    return asyncio.run(models.complete(spec, ASK, tries=tries))


def test_an_unavailable_model_is_asked_again_and_the_reply_counts_the_tries(tmp_path: Path) -> None:
    models, spec = pool(tmp_path, '{"error": "unavailable"}\n{"error": "unavailable"}\n{"reply": "yes"}\n')
    reply = ask(models, spec)
    assert (reply.text, reply.error, reply.retries, reply.usage.calls) == ("yes", None, 2, 3)


def test_tries_are_bounded_and_the_last_error_is_a_reply(tmp_path: Path) -> None:
    models, spec = pool(tmp_path, '{"error": "unavailable", "reply": "busy"}\n' * 9)
    reply = ask(models, spec)
    assert (reply.usage.calls, reply.retries, reply.finish, reply.text) == (4, 3, "error", "")
    assert reply.error is not None
    assert "busy" in reply.error


def test_fewer_tries_can_be_granted(tmp_path: Path) -> None:
    models, spec = pool(tmp_path, '{"error": "unavailable"}\n' * 9)
    assert ask(models, spec, tries=2).usage.calls == 2


def test_a_refusal_is_not_asked_again(tmp_path: Path) -> None:
    models, spec = pool(tmp_path, '{"error": "refused", "reply": "no such model"}\n{"reply": "yes"}\n')
    reply = ask(models, spec)
    assert (reply.usage.calls, reply.retries, reply.error) == (1, 0, "no such model")


def test_the_users_price_goes_before_the_nature_of_the_model(tmp_path: Path) -> None:
    script = '{"reply": "12345678"}\n'
    spec = f"scripted:{tmp_path / 'script.jsonl'}"
    config = LLMConfig(prices={spec: ModelPrice(input=0, output=1_000_000)})
    models, _ = pool(tmp_path, script, config)
    assert ask(models, spec).usage.cost == pytest.approx(2.0)


def test_a_declared_latency_is_reported_without_being_waited_for() -> None:
    models = LLMPool(["simulated:slow"], LLMConfig())
    assert ask(models, "simulated:slow").seconds > 1


def test_another_model_than_the_pools_is_an_error_with_the_nearest_name(tmp_path: Path) -> None:
    models, spec = pool(tmp_path, '{"reply": "yes"}\n')
    with pytest.raises(ConfigError, match="did you mean"):
        ask(models, spec + "x")
