"""Whether models answer, by asking them. Heavy: imported as the command runs."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from speciate.cli.output import Output
from speciate.cli.settings import settings
from speciate.engine import is_model
from speciate.errors import ModelError, UsageError
from speciate.llm import LLMConfig, open_llm, parse_spec, redact
from speciate.records import Message, Reply, Request, Sampling, Usage

QUESTION = Request((Message("user", ("Reply with one word: ready",)),), Sampling(max_tokens=256))
"""Costs less than a tenth of a cent at any price in the public list."""
_PATIENCE = 60.0
_SHOWN = 60
_DECLARE = frozenset({"simulated", "replay"})
"""Kinds of models whose answers come with a time that is made up or was measured long ago."""
_CUT_SHORT = frozenset({"length", "max_tokens", "MAX_TOKENS", "max_output_tokens"})
"""Vendors' words for an answer that has reached `max_tokens`."""


@dataclass(frozen=True, slots=True)
class Probe:
    """What became of one question.

    Attributes:
        spec: the model.
        answered: whether it did. One that has thought until its tokens were used up has answered.
        said: the beginning of what it said, or None.
        problem: why it did not answer, or None.
        served: the model that answered, as the provider names it, or None.
        usage: what that has used; `cost` is None when the price is unknown.
        seconds: how long it took, or what the model says it took.
        measured: whether `seconds` was measured now; False for models that declare it.
    """

    spec: str
    answered: bool
    said: str | None = None
    problem: str | None = None
    served: str | None = None
    usage: Usage | None = None
    seconds: float | None = None
    measured: bool = True


def show_probes(specs: Sequence[str], file: Path | None, output: Output) -> bool:
    """Asks each model once, all at once and without a second try, and says what came back.

    Returns:
        Whether all have answered.

    Raises:
        ConfigError: a spec cannot be understood.
    """
    config = _patient(settings([], file=file).llm)
    for spec in filter(is_model, specs):
        parse_spec(spec)
    probes = asyncio.run(_ask_all(tuple(dict.fromkeys(specs)), config))
    for probe in probes:
        output.say(f"{probe.spec}: {_words(probe)}")
    output.result({"probes": probes})
    return all(probe.answered for probe in probes)


def _patient(config: LLMConfig) -> LLMConfig:
    spool = min(_PATIENCE, config.spool_timeout or _PATIENCE)
    return config.model_copy(update={"timeout": min(_PATIENCE, config.timeout), "spool_timeout": spool})


async def _ask_all(specs: Sequence[str], config: LLMConfig) -> list[Probe]:
    return list(await asyncio.gather(*(_ask(spec, config) for spec in specs)))


async def _ask(spec: str, config: LLMConfig) -> Probe:
    if not is_model(spec):
        return Probe(spec, True, said="asks no model")
    try:
        model = open_llm(spec, config)
    except UsageError as error:
        return Probe(spec, False, problem=redact(str(error)))
    try:
        return _judged(spec, await model.complete(QUESTION))
    except ModelError as error:
        return Probe(spec, False, problem=redact(str(error)))
    finally:
        await model.close()


def _judged(spec: str, reply: Reply) -> Probe:
    measured = parse_spec(spec).kind not in _DECLARE
    probe = Probe(spec, True, served=reply.model, usage=reply.usage, seconds=reply.seconds, measured=measured)
    if reply.error is None:
        return replace(probe, said=redact(" ".join(reply.text.split()))[:_SHOWN])
    if reply.finish in _CUT_SHORT:
        return replace(probe, said=f"nothing within {QUESTION.sampling.max_tokens} tokens")
    return replace(probe, answered=False, problem=redact(reply.error))


def _words(probe: Probe) -> str:
    if not probe.answered:
        return f"FAILED: {(probe.problem or '').removeprefix(f'{probe.spec}: ')}"
    if probe.usage is None or probe.seconds is None:
        return probe.said or "ready"
    cost = "price unknown" if probe.usage.cost is None else f"${probe.usage.cost:.6f}"
    tokens = f"{probe.usage.input_tokens} tokens in, {probe.usage.output_tokens} out"
    answered = f"answered {probe.said!r} as {probe.served}"
    if not probe.measured:
        return f"{answered} ({tokens}, {cost}; it declares {probe.seconds:.1f} s, which nobody measured)"
    return f"{answered} in {probe.seconds:.1f} s ({tokens}, {cost})"
