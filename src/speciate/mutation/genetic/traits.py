"""Numbers that a program inherits and that mutate themselves."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

import numpy as np

from speciate.mutation.genetic.config import GeneticConfig

STEP_RANGE = (1e-6, 1.0)


@dataclass(frozen=True, slots=True)
class Traits:
    """What a child inherits besides its text.

    Only the size of a step adapts itself. The share of structural changes does not: such changes pay late,
    so a share that is inherited falls to its lowest bound within a few hundred candidates.

    Attributes:
        step: size of a step of a constant, relative to its natural size; within `STEP_RANGE`.
    """

    step: float

    @classmethod
    def inherited(cls, traits: Mapping[str, float], config: GeneticConfig) -> Self:
        """Returns a parent's traits; what it lacks begins as the config says."""
        return cls(_bounded(traits.get("step", config.step), STEP_RANGE))

    def mutated(self, config: GeneticConfig, rng: np.random.Generator) -> Self:
        """Returns the child's traits: the step times a log-normal factor, then bounded."""
        change = config.step_drift + config.step_rate * rng.standard_normal()
        return type(self)(_bounded(self.step * math.exp(change), STEP_RANGE))

    def record(self) -> dict[str, float]:
        """Returns the traits by name, as they are stored."""
        return {"step": self.step}


def _bounded(value: float, bounds: tuple[float, float]) -> float:
    """Returns `value` within `bounds`; the lower bound for NaN."""
    return min(max(value, bounds[0]), bounds[1]) if not math.isnan(value) else bounds[0]
