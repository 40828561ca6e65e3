"""Which operator changes the parent: a weighted draw over what the proposer can do."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Self

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, model_validator

from speciate.errors import ConfigError

FIX = "fix"
CROSSOVER = "crossover"


def _model_weights() -> Mapping[str, float]:
    return {"diff": 0.45, "full": 0.45, CROSSOVER: 0.10}


def _genetic_weights() -> Mapping[str, float]:
    return {"mutate": 0.85, CROSSOVER: 0.15}


class MixtureConfig(BaseModel):
    """How often each operator is used, by kind of proposer. Weights need not sum to 1.

    An operator that is missing from its table is never drawn; ``fix`` needs no weight, because the
    situation decides it. The defaults for models are those of ShinkaEvolve's circle packing
    (Lange 2025, https://arxiv.org/abs/2509.19349).

    Attributes:
        model: weights for proposers that ask a model.
        genetic: weights for genetic proposers.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: Mapping[str, float] = Field(default_factory=_model_weights)
    genetic: Mapping[str, float] = Field(default_factory=_genetic_weights)

    @model_validator(mode="after")
    def _usable(self) -> Self:
        for name, table in (("model", self.model), ("genetic", self.genetic)):
            if not all(math.isfinite(weight) and weight >= 0 for weight in table.values()):
                raise ValueError(f"{name}: weights are finite and at least 0, got {dict(table)}")
            if not any(weight > 0 for operator, weight in table.items() if operator != FIX):
                raise ValueError(f"{name}: at least one weight must be above 0, got {dict(table)}")
        return self

    def weights(self, available: Sequence[str]) -> Mapping[str, float]:
        """Returns the table that knows most of the `available` operators; `model` on a tie."""
        return max((self.model, self.genetic), key=lambda table: sum(name in table for name in available))


def draw_operator(
    config: MixtureConfig,
    available: Sequence[str],
    *,
    parents: int,
    valid_parent: bool,
    rng: np.random.Generator,
) -> str:
    """Draws the operator for one candidate.

    Without a valid parent it is ``fix``, where the proposer has that; ``crossover`` takes part only
    when there are two programs to cross. When every operator that remains has weight 0, they share
    evenly: a run with crossover alone must begin with something else.

    Args:
        config: the weights.
        available: operators the proposer can carry out, in its own order.
        parents: how many distinct valid occupants could be parents.
        valid_parent: whether the parent at hand has a score.
        rng: stream of this draw.

    Returns:
        One of `available`.

    Raises:
        ConfigError: none of the proposer's operators can be used here.
    """
    if not valid_parent and FIX in available:
        return FIX
    usable = [name for name in available if name != FIX and (name != CROSSOVER or parents >= 2)]
    if not usable:
        raise ConfigError(
            f"no operator can be used: the proposer offers {', '.join(available) or 'none'} and there "
            f"are {parents} programs to start from; give it an operator that changes a single parent"
        )
    table = config.weights(available)
    weights = np.array([table.get(name, 0.0) for name in usable])
    if not weights.any():
        weights = np.ones(len(usable))
    cumulative = np.cumsum(weights / weights.max())
    position = int(np.searchsorted(cumulative, rng.random() * cumulative[-1], side="right"))
    return usable[min(position, len(usable) - 1)]
