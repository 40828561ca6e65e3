"""How full rewrites are asked for: several phrasings, one of which is drawn for each candidate.

A model that is asked the same way each time keeps answering the same way. ShinkaEvolve therefore words the
request for a full rewrite in several ways (Lange 2025, https://arxiv.org/abs/2509.19349, and its code); these
are ours. The form of the answer is the same in all of them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Literal, TypeAlias, get_args

import numpy as np

from speciate.errors import ConfigError
from speciate.mutation.prompts import brings_own
from speciate.seeds import draw_index
from speciate.tasks import Task

Phrasing: TypeAlias = Literal["default", "other_algorithm", "motivated", "structural", "parametric"]
"""What is asked for: ``default`` leaves that open, ``other_algorithm`` is a method of another kind,
``motivated`` one that follows from what is shown, ``structural`` the same method built otherwise, and
``parametric`` other numbers in it."""

PHRASED = "full"
"""The operator that has phrasings, and the name of its default prompt."""


def phrasing_names() -> tuple[str, ...]:
    """Returns the names of all phrasings, the default first."""
    return get_args(Phrasing)


def one_phrasing() -> Mapping[Phrasing, float]:
    """Returns the weights under which nothing but the default is asked."""
    return {"default": 1.0}


def check_weights(weights: Mapping[Phrasing, float]) -> None:
    """Checks the weights of phrasings.

    Raises:
        ValueError: a weight is negative or not finite, or none is above 0.
    """
    if not all(math.isfinite(weight) and weight >= 0 for weight in weights.values()):
        raise ValueError(f"weights are finite and at least 0, got {dict(weights)}")
    if not any(weights.values()):
        raise ValueError(f"at least one weight must be above 0, got {dict(weights)}")


def check_phrasings(task: Task, weights: Mapping[Phrasing, float], variant: str) -> None:
    """Checks that the phrasings are not wanted in vain.

    Raises:
        ConfigError: others than the default have a weight, and the task has its own words for full rewrites.
    """
    others = [name for name, weight in weights.items() if weight > 0 and name != "default"]
    if others and brings_own(task, PHRASED, variant):
        raise ConfigError(
            f"prompts.full: the task {task.name!r} brings its own prompt for full rewrites, which would "
            f"stand in for {', '.join(others)} too; leave prompts.full at its default for this task"
        )


def draw_phrasing(weights: Mapping[Phrasing, float], rng: np.random.Generator) -> Phrasing:
    """Draws a phrasing by weight; the order in which they are named makes no difference.

    Args:
        weights: weight by name, at least one above 0.
        rng: stream of this draw.
    """
    names = [name for name in get_args(Phrasing) if weights.get(name, 0.0) > 0]
    drawn: Phrasing = names[draw_index([weights[name] for name in names], rng)]
    return drawn
