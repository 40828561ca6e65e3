"""UCB1: the best of what each arm could still turn out to be."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from typing_extensions import override

from speciate.bandits.rewards import RewardScale
from speciate.bandits.tallies import TallyBandit


class UCBBandit(TallyBandit):
    """Picks the arm with the highest upper confidence bound on its mean reward (Auer 2002, UCB1).

    The bound is ``mean + c · sqrt(2 ln t / n)`` for an arm pulled n times among t pulls, of rewards from 0 to
    1 (see `Rewards`). Arms without a pull come first; those with equal bounds share.

    Args:
        arms: names.
        coefficient: c; 0 never explores again.
        scale: in which units gains count.
    """

    def __init__(self, arms: Sequence[str], *, coefficient: float = 1.0, scale: RewardScale = "none") -> None:
        super().__init__(arms, scale=scale)
        self._coefficient = coefficient

    @override
    def _shares(self, usable: np.ndarray) -> np.ndarray:
        fresh = usable & (self.pulls == 0)
        if fresh.any():
            return np.asarray(fresh, dtype=float)
        bounds = np.where(usable, self._bounds(), -math.inf)
        best: np.ndarray = bounds == bounds.max()
        return best.astype(float)

    def _bounds(self) -> np.ndarray:
        """Returns the bound of each arm, shape ``(n,)``; one without pulls is only here when unusable."""
        bounds: np.ndarray = self.means + self._radii()
        return bounds

    @property
    def lower(self) -> np.ndarray:
        """Lower confidence bounds, shape ``(n,)``: ``mean − c · sqrt(2 ln t / n)``, n at least 1."""
        bounds: np.ndarray = self.means - self._radii()
        return bounds

    def _radii(self) -> np.ndarray:
        pulls = np.maximum(self.pulls, 1.0)
        radii: np.ndarray = self._coefficient * np.sqrt(2 * math.log(pulls.sum()) / pulls)
        return radii
