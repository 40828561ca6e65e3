"""From a model's spec to the model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import get_args

from speciate.llm.base import LLM
from speciate.llm.cassette import Cassette, Replay
from speciate.llm.catalog import price_of
from speciate.llm.command import CommandLLM
from speciate.llm.config import LLMConfig
from speciate.llm.embeddings import open_embedding
from speciate.llm.providers import (
    open_anthropic,
    open_azure,
    open_bedrock,
    open_deepseek,
    open_google,
    open_local,
    open_openai,
    open_openrouter,
)
from speciate.llm.scripted import Choose, ScriptedLLM
from speciate.llm.simulated import SimulatedLLM
from speciate.llm.spec import KINDS, Spec, parse_spec
from speciate.llm.spool import SpoolLLM


def open_llm(spec: str, config: LLMConfig) -> LLM:
    """Returns the model behind a spec. Nothing is sent and no heavy package is imported yet.

    Raises:
        ConfigError: the kind is unknown, or the file, key or option it needs is missing or wrong.
        MissingExtraError: an optional package is needed.
    """
    parsed = parse_spec(spec)
    if parsed.embeds:
        return open_embedding(parsed, config)
    return _OPENERS[parsed.kind](parsed, config)


def model_kinds() -> tuple[str, ...]:
    """Returns what a model's spec may begin with, before the first colon."""
    return tuple(KINDS)


def known_specs() -> tuple[str, ...]:
    """Returns the form of every kind of spec, for people to read."""
    return tuple(KINDS.values())


def _scripted(spec: Spec, config: LLMConfig) -> LLM:
    spec.allow("choose")
    wanted = spec.option("choose", "", ("", *get_args(Choose)))
    choose = next((choice for choice in get_args(Choose) if choice == wanted), None)
    return ScriptedLLM.load(
        Path(spec.name).expanduser(), spec=spec.text, choose=choose, price=price_of(spec.text, config)
    )


def _simulated(spec: Spec, config: LLMConfig) -> LLM:
    price = price_of(spec.text, config)
    return SimulatedLLM(spec.text, spec.name, price=price, wait=config.simulate_latency)


def _command(spec: Spec, config: LLMConfig) -> LLM:
    return CommandLLM(spec.text, spec.name, price_of(spec.text, config), config)


def _spool(spec: Spec, config: LLMConfig) -> LLM:
    return SpoolLLM(spec.text, Path(spec.name).expanduser(), price_of(spec.text, config), config)


def _replay(spec: Spec, config: LLMConfig) -> LLM:
    spec.allow("model")
    model = spec.options.get("model")
    return Replay(
        spec.text, Cassette(Path(spec.name).expanduser()), model=model, price=price_of(spec.text, config)
    )


_OPENERS: Mapping[str, Callable[[Spec, LLMConfig], LLM]] = {
    "openai": open_openai,
    "anthropic": open_anthropic,
    "google": open_google,
    "deepseek": open_deepseek,
    "openrouter": open_openrouter,
    "azure": open_azure,
    "bedrock": open_bedrock,
    "local": open_local,
    "command": _command,
    "spool": _spool,
    "scripted": _scripted,
    "simulated": _simulated,
    "replay": _replay,
}
