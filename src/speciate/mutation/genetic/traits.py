"""Numbers that a program inherits and that mutate themselves."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

import numpy as np

from speciate.mutation.genetic.config import GeneticConfig

STEP_RANGE = (1e-6, 1.0)
STRUCTURE_RANGE = (0.02, 0.8)


@dataclass(frozen=True, slots=True)
class Traits:
    """What a child inherits besides its text.

    Attributes:
        step: size of a step of a constant, relative to its natural size; within `STEP_RANGE`.
        structure: share of children that change structure; within `STRUCTURE_RANGE`.
    """

    step: float
    structure: float

    @classmethod
    def inherited(cls, traits: Mapping[str, float], config: GeneticConfig) -> Self:
        """Returns a parent's traits; what it lacks begins as the config says."""
        return cls(
            _bounded(traits.get("step", config.step), STEP_RANGE),
            _bounded(traits.get("structure", config.structure), STRUCTURE_RANGE),
        )

    def mutated(self, config: GeneticConfig, rng: np.random.Generator) -> Self:
        """Returns the child's traits: each times a log-normal factor, then bounded."""
        factors = np.exp([config.step_rate, config.structure_rate] * rng.standard_normal(2))
        return type(self)(
            _bounded(self.step * float(factors[0]), STEP_RANGE),
            _bounded(self.structure * float(factors[1]), STRUCTURE_RANGE),
        )

    def record(self) -> dict[str, float]:
        """Returns the traits by name, as they are stored."""
        return {"step": self.step, "structure": self.structure}


def _bounded(value: float, bounds: tuple[float, float]) -> float:
    """Returns `value` within `bounds`; the lower bound for NaN."""
    return min(max(value, bounds[0]), bounds[1]) if not math.isnan(value) else bounds[0]
