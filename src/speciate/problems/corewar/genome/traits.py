"""The number that a warrior inherits and that mutates itself: the size of its small steps."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from speciate.problems.corewar.genome.config import GenomeConfig

STEP = "step"
"""Name of the trait."""

SMALLEST = 1.0


def inherited_step(
    traits: Mapping[str, float], config: GenomeConfig, core_size: int, rng: np.random.Generator
) -> float:
    """Returns a child's mean step in cells: its parent's times a log-normal factor, from 1 to a quarter core.

    Args:
        traits: the parent's traits; without a step it begins with that of `config`.
        config: how fast it adapts.
        core_size: cells of the core.
        rng: the stream.
    """
    step = traits.get(STEP, config.step)
    if math.isfinite(step):
        step = min(max(step, SMALLEST), core_size) * math.exp(config.step_rate * rng.standard_normal())
    else:
        step = config.step
    return min(max(step, SMALLEST), max(SMALLEST, core_size / 4))
