"""Which operator changes the parent: a weighted draw over what the proposer can do."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Self

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, model_validator

from speciate.errors import ConfigError
from speciate.seeds import draw_index

FIX = "fix"
CROSSOVER = "crossover"
NEW = "new"
"""A program from nothing: it has no parent, and whoever makes it sees none."""
NEW = "new"
"""Makes a program from nothing: it has no parent and is shown none."""


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
        own: weights over those that proposers of other packages bring along, by operator.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: Mapping[str, float] = Field(default_factory=_model_weights)
    genetic: Mapping[str, float] = Field(default_factory=_genetic_weights)
    own: Mapping[str, float] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _usable(self) -> Self:
        for name, table in (("model", self.model), ("genetic", self.genetic), ("own", self.own)):
            if not all(math.isfinite(weight) and weight >= 0 for weight in table.values()):
                raise ValueError(f"{name}: weights are finite and at least 0, got {dict(table)}")
            if table is not self.own and not any(
                weight > 0 for operator, weight in table.items() if operator != FIX
            ):
                raise ValueError(f"{name}: at least one weight must be above 0, got {dict(table)}")
        return self

    def weights(
        self, available: Sequence[str], brought: Mapping[str, float] | None = None
    ) -> Mapping[str, float]:
        """Returns the weights of the `available` operators.

        Args:
            available: operators of the proposer.
            brought: weights that the proposer brings along, which `own` goes over. None takes the table
                that knows most of the operators; `model` on a tie.
        """
        if brought is not None:
            return {**brought, **self.own}
        return max((self.model, self.genetic), key=lambda table: sum(name in table for name in available))


def draw_operator(
    config: MixtureConfig,
    available: Sequence[str],
    *,
    parents: int,
    valid_parent: bool,
    rng: np.random.Generator,
    brought: Mapping[str, float] | None = None,
) -> str:
    """Draws the operator for one candidate.

    Without a valid parent it is ``fix``, where the proposer has that, or ``new`` with the share of the
    weights that it has anyway; ``crossover`` takes part only when there are two programs to cross. When every
    operator that remains has weight 0, those that change a parent share evenly: a run with crossover alone
    must begin with something else.

    Args:
        config: the weights.
        available: operators the proposer can carry out, in its own order.
        parents: how many distinct valid occupants could be parents.
        valid_parent: whether the parent at hand has a score.
        rng: stream of this draw.
        brought: weights that the proposer brings along (`Proposer.weights`), or None.

    Returns:
        One of `available`.

    Raises:
        ConfigError: none of the proposer's operators can be used here.
    """
    table = config.weights(available, brought)
    if not valid_parent and FIX in available:
        return _mend_or_begin(table, available, rng)
    usable = [name for name in available if name != FIX and (name != CROSSOVER or parents >= 2)]
    if not usable:
        raise ConfigError(
            f"no operator can be used: the proposer offers {', '.join(available) or 'none'} and there "
            f"are {parents} programs to start from; give it an operator that changes a single parent"
        )
    weights = np.array([table.get(name, 0.0) for name in usable])
    if not weights.any():
        weights = np.array([float(name != NEW or len(usable) == 1) for name in usable])
    return usable[draw_index(weights / weights.max(), rng)]


def _mend_or_begin(table: Mapping[str, float], available: Sequence[str], rng: np.random.Generator) -> str:
    """Draws what to do without a valid parent: ``fix`` stands for all operators that need one."""
    fresh = table.get(NEW, 0.0) if NEW in available else 0.0
    total = sum(table.get(name, 0.0) for name in available if name != FIX)
    return NEW if fresh > 0 and rng.random() * total < fresh else FIX
