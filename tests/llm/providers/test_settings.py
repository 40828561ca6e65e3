"""What goes over the wire for one model and one sampling. The servers refuse what the vendors refuse."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import pytest

from speciate.llm import LLMConfig, open_llm
from speciate.records import Json, Message, Reply, Request, Sampling
from speciate.testing.vendors import VENDED, Vended

CONFIG = LLMConfig(timeout=60)
HARD = Sampling(max_tokens=9000, temperature=0.7, reasoning_effort="high")
TIGHT = Sampling(max_tokens=1500, reasoning_effort="high")
PLAIN = Sampling(max_tokens=9000, temperature=0.7)
SEEDED = Sampling(max_tokens=9000, seed=7)


def sent(spec: str, sampling: Sampling, monkeypatch: pytest.MonkeyPatch) -> Reply:
    async def once() -> Reply:
        llm = open_llm(spec, CONFIG)
        try:
            return await llm.complete(Request((Message("user", ("hello",)),), sampling))
        finally:
            await llm.close()

    kind = spec.partition(":")[0]
    vended = next(each for each in VENDED if each.spec.startswith(f"{kind}:"))
    with vended.served(monkeypatch):
        reply = asyncio.run(once())
    assert reply.error is None
    return reply


def found(body: Mapping[str, Json], path: str) -> Json:
    value: Json = dict(body)
    for name in path.split("."):
        value = value.get(name) if isinstance(value, dict) else None
    return value


@pytest.mark.parametrize(
    ("spec", "sampling", "path", "value"),
    [
        # Claude with a number of tokens: under max_tokens, or not at all.
        ("anthropic:claude-haiku-4-5", HARD, "thinking.budget_tokens", 6750),
        ("anthropic:claude-haiku-4-5", TIGHT, "thinking", None),
        ("anthropic:claude-haiku-4-5", HARD, "temperature", None),
        ("anthropic:claude-haiku-4-5", PLAIN, "temperature", 0.7),
        ("anthropic:claude-haiku-4-5", Sampling(temperature=1.5), "temperature", None),
        # Claude with an effort, and one that takes no temperature at all.
        ("anthropic:claude-opus-4-6", HARD, "thinking.type", "adaptive"),
        ("anthropic:claude-opus-4-6", HARD, "output_config.effort", "high"),
        ("anthropic:claude-opus-4-8", PLAIN, "temperature", None),
        ("anthropic:claude-3-5-haiku-latest", HARD, "thinking", None),
        ("anthropic:claude-3-5-haiku-latest", HARD, "temperature", 0.7),
        # Gemini with a number of tokens, and with a level.
        ("google:gemini-2.5-flash", HARD, "generationConfig.thinkingConfig.thinking_budget", 6750),
        ("google:gemini-2.5-flash", Sampling(900, None, "low"), "generationConfig.thinkingConfig", None),
        ("google:gemini-3.1-pro-preview", HARD, "generationConfig.thinkingConfig.thinking_level", "HIGH"),
        ("google:gemini-2.0-flash", HARD, "generationConfig.thinkingConfig", None),
        ("google:gemini-2.5-flash", SEEDED, "generationConfig.seed", 7),
        # OpenAI, and what passes for it.
        ("openai:gpt-5-mini", HARD, "reasoning_effort", "high"),
        ("openai:gpt-5-mini", HARD, "temperature", None),
        ("openai:gpt-4.1?api=responses", HARD, "reasoning", None),
        ("openai:gpt-4.1?api=responses", HARD, "temperature", 0.7),
        ("openai:gpt-5-mini?api=responses", HARD, "reasoning.effort", "high"),
        ("azure:gpt-4.1", HARD, "reasoning_effort", None),
        ("azure:gpt-4.1", HARD, "temperature", 0.7),
        ("deepseek:deepseek-chat", HARD, "temperature", 0.7),
        ("deepseek:deepseek-chat", HARD, "reasoning_effort", None),
        ("deepseek:deepseek-reasoner", PLAIN, "temperature", None),
        ("openrouter:anthropic/claude-haiku-4.5", HARD, "reasoning.effort", "high"),
        ("openrouter:anthropic/claude-haiku-4.5", HARD, "temperature", None),
        ("openrouter:openai/gpt-4.1", PLAIN, "temperature", 0.7),
        # Bedrock's Claude and Bedrock's others.
        (
            "bedrock:us.anthropic.claude-haiku-4-5-20251001-v1:0",
            HARD,
            "additionalModelRequestFields.thinking.budget_tokens",
            6750,
        ),
        (
            "bedrock:us.anthropic.claude-opus-4-6-v1",
            HARD,
            "additionalModelRequestFields.thinking.type",
            "adaptive",
        ),
        (
            "bedrock:us.anthropic.claude-3-5-haiku-20241022-v1:0",
            HARD,
            "additionalModelRequestFields",
            None,
        ),
        ("bedrock:amazon.nova-lite-v1:0", HARD, "additionalModelRequestFields", None),
        ("bedrock:amazon.nova-lite-v1:0", HARD, "inferenceConfig.temperature", 0.7),
    ],
)
def test_settings_are_fitted_to_the_model_and_what_is_left_out_is_named(
    spec: str, sampling: Sampling, path: str, value: Json, monkeypatch: pytest.MonkeyPatch
) -> None:
    reply = sent(spec, sampling, monkeypatch)
    assert found(reply.sent, path) == value
    setting = {"temperature": "temperature", "seed": "seed"}.get(path.rpartition(".")[2], "reasoning_effort")
    if value is None:
        assert setting in reply.dropped
    else:
        assert setting not in reply.dropped


@pytest.mark.parametrize("max_tokens", [1, 64_000])
@pytest.mark.parametrize("vended", VENDED, ids=lambda one: one.spec)
def test_every_length_can_be_asked_for_and_is_sent(
    vended: Vended, max_tokens: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert str(max_tokens) in repr(sent(vended.spec, Sampling(max_tokens), monkeypatch).sent)
