"""From the spec ``redcode[:mind[?option=value…]]`` to the proposer: what the entry point names."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final
from urllib.parse import parse_qsl

from pydantic import ValidationError

from speciate.errors import ConfigError, nearest
from speciate.problems.corewar.generators import diluted, generate, mind
from speciate.problems.corewar.genome.config import OPTIONS, GenomeConfig, with_options
from speciate.problems.corewar.genome.proposer import WEIGHTS, RedcodeProposer
from speciate.problems.corewar.parameters import Conditions
from speciate.seeds import stream
from speciate.tasks import Task, explain

PURITY: Final = "purity"
FORM: Final = "redcode[:mind[?option=value&option=value…]]"


def open_redcode(argument: str, task: Task) -> RedcodeProposer:
    """Returns the proposer for a task.

    Args:
        argument: the name of a mind of `generators.MINDS`, whose priors new warriors, instructions and steps
            come from; empty for ``mixed``. After a ``?`` follow options, joined by ``&``: the weights
            ``new``, ``mutate`` and ``crossover``, ``purity`` (from 0 to 1: how far the mind keeps to its own
            families, see `generators.diluted`), and whatever is named by `genome.config.OPTIONS`, for
            example ``replicator?new=0.3&stride=5&step=10``.
        task: Core War.

    Raises:
        ConfigError: the mind or an option is unknown, a value makes no sense, no warrior of the mind is short
            enough for the rules, or the task is not Core War.
    """
    if task.spec.language != "redcode" or "rules" not in task.context.settings:
        raise ConfigError(f"the proposer redcode is for the problem corewar, not for {task.name!r}")
    settings = Conditions.from_json(task.context.settings).settings
    name, _, query = argument.partition("?")
    options = _options(query)
    weights = {name: options.pop(name, weight) for name, weight in WEIGHTS.items()}
    if not all(weight >= 0 for weight in weights.values()) or not any(weights.values()):
        raise ConfigError(f"{FORM}: new, mutate and crossover are at least 0 and not all 0, got {weights}")
    purity = options.pop(PURITY, 1.0)
    if not 0 <= purity <= 1:
        raise ConfigError(f"{FORM}: purity is from 0 to 1, got {purity:g}")
    priors = diluted(mind(name or "mixed"), purity) if purity < 1 else mind(name or "mixed")
    generate(stream(0, 0, "redcode.opening"), settings, priors)  # raises for a mind that has no room
    return RedcodeProposer(settings, priors, _config(options), weights=weights)


def _config(options: Mapping[str, float]) -> GenomeConfig:
    try:
        return with_options(options)
    except ValidationError as error:
        raise ConfigError(explain(error, GenomeConfig, FORM)) from error


def _options(query: str) -> dict[str, float]:
    """Returns what stands behind the ``?``, by name."""
    known = (*WEIGHTS, PURITY, *OPTIONS)
    options: dict[str, float] = {}
    for name, text in parse_qsl(query, keep_blank_values=True):
        if name not in known:
            raise ConfigError(
                f"{FORM}: there is no option {name!r}{nearest(name, known)} (known: {', '.join(known)})"
            )
        options[name] = _number(name, text)
    return options


def _number(name: str, text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise ConfigError(f"{FORM}: {name} takes a number, not {text!r}")
    return number
