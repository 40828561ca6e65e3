"""Better ranks more often, by a power of the rank."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from typing_extensions import override

from speciate.selection.base import ParentPolicy, Ranked
from speciate.selection.occupants import Occupants

_HILL_CLIMBING = 10_000.0  # 2^-10000 is 0 in double precision: larger exponents change nothing


class PowerLaw(ParentPolicy):
    """p_i ∝ r_i^(−α) over the ranks (Lange 2025, https://arxiv.org/abs/2509.19349).

    Args:
        alpha: 0 is uniform, larger is greedier, infinity is hill climbing.

    Raises:
        ValueError: `alpha` is negative or not a number.
    """

    def __init__(self, alpha: float = 1.0) -> None:
        if not alpha >= 0:
            raise ValueError(f"alpha must be 0 or more, got {alpha}")
        self._alpha = min(alpha, _HILL_CLIMBING)

    @override
    def probabilities(self, occupants: Sequence[Ranked]) -> np.ndarray:
        weights = np.exp(-self._alpha * np.log(Occupants.of(occupants).ranks))
        return np.asarray(weights / weights.sum())
