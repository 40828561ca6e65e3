"""Further programs to look at while a parent is changed."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from speciate.records import Ordinal
from speciate.selection.base import Ranked
from speciate.selection.occupants import Occupants


class InspirationConfig(BaseModel):
    """How many inspirations a proposer gets, and in which order.

    Attributes:
        random: how many are drawn uniformly without replacement.
        top: how many of the best are taken first.
        order: ``ascending`` (the best last, nearest to the question), ``descending`` (the best first) or
            ``as_drawn`` (the top ones by rank, then the random ones as they came).
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    random: int = Field(default=4, ge=0)
    top: int = Field(default=2, ge=0)
    order: Literal["ascending", "descending", "as_drawn"] = "ascending"


def draw_inspirations(
    occupants: Sequence[Ranked],
    parents: Collection[Ordinal],
    config: InspirationConfig,
    rng: np.random.Generator,
) -> tuple[Ordinal, ...]:
    """Draws inspirations: the `top` best that are no parents, then `random` of the rest without replacement.

    Args:
        occupants: where they come from, may be empty.
        parents: ordinals that are shown anyway and are left out.
        config: how many, and in which order.
        rng: the chance for the random ones.

    Returns:
        Ordinals without repeats; fewer than asked for when there are not so many.
    """
    columns = Occupants.of(occupants)
    others = columns.ordinals[np.argsort(columns.ranks, kind="stable")]
    for parent in parents:
        others = others[others != parent]
    top = min(config.top, len(others))
    rest = len(others) - top
    drawn = rng.choice(rest, size=min(config.random, rest), replace=False) if rest else np.empty(0, int)
    # Positions in `others` are ranks among those that are no parents.
    positions = [*range(top), *(top + drawn).tolist()]
    if config.order != "as_drawn":
        positions.sort(reverse=config.order == "ascending")
    return tuple(others[positions].tolist())
