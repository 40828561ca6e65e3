"""Fixed shares: nothing is learnt."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from typing_extensions import override

from speciate.bandits.base import Bandit
from speciate.errors import ConfigError, nearest
from speciate.records import Dollars, Ordinal


class FixedBandit(Bandit):
    """Draws arms by fixed weights; without weights, uniformly."""

    def __init__(self, arms: Sequence[str], weights: Mapping[str, float] | None = None) -> None:
        """Fixes the shares.

        Args:
            arms: names.
            weights: weight by arm; an arm that is not named weighs 1. None for equal shares.

        Raises:
            ConfigError: a weight names no arm, is negative or not finite, or all are 0.
        """
        super().__init__(arms)
        self._weights = dict(weights or {})
        for name, weight in self._weights.items():
            if name not in self.arms:
                raise ConfigError(f"bandit.weights: there is no arm {name!r}{nearest(name, self.arms)}")
            if not (math.isfinite(weight) and weight >= 0):
                raise ConfigError(
                    f"bandit.weights: {name!r} needs a finite weight of at least 0, got {weight}"
                )
        if not any(self._weights.get(arm, 1.0) for arm in self.arms):
            raise ConfigError("bandit.weights: all weights are 0; give one arm a weight above 0")

    @override
    def _shares(self, usable: np.ndarray) -> np.ndarray:
        return np.array([self._weights.get(arm, 1.0) for arm in self.arms])

    @override
    def _pulled(self, arm: str, ordinal: Ordinal) -> None:
        """Nothing to learn from."""

    @override
    def _rewarded(self, arm: str, ordinal: Ordinal, value: float | None, cost: Dollars | None) -> None:
        """Nothing to learn from."""
