"""Fixed shares: nothing is learnt."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from typing_extensions import override

from speciate.bandits.base import Bandit
from speciate.errors import ConfigError, nearest


class FixedBandit(Bandit):
    """Draws arms by fixed weights; without weights, uniformly."""

    def __init__(self, arms: Sequence[str], weights: Mapping[str, float] | None = None) -> None:
        """Fixes the shares.

        Args:
            arms: names of the proposers.
            weights: weight by arm; an arm that is not named weighs 1. None for equal shares.

        Raises:
            ConfigError: a weight names no arm, is negative or not finite, or all are 0.
        """
        super().__init__(arms)
        given = dict(weights or {})
        for name, weight in given.items():
            if name not in self.arms:
                raise ConfigError(f"bandit.weights: there is no proposer {name!r}{nearest(name, self.arms)}")
            if not (math.isfinite(weight) and weight >= 0):
                raise ConfigError(
                    f"bandit.weights: {name!r} needs a finite weight of at least 0, got {weight}"
                )
        shares = np.array([given.get(arm, 1.0) for arm in self.arms], dtype=float)
        if not shares.any():
            raise ConfigError("bandit.weights: all weights are 0; give one proposer a weight above 0")
        shares /= shares.max()
        self._shares: np.ndarray = shares / shares.sum()

    @override
    def probabilities(self) -> np.ndarray:
        return self._shares

    @override
    def pulled(self, arm: str) -> None:
        """Nothing to learn from."""

    @override
    def reward(self, arm: str, value: float | None) -> None:
        """Nothing to learn from."""
