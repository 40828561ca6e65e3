"""Exp3: no assumption at all about where rewards come from."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from typing_extensions import override

from speciate.bandits.base import Bandit
from speciate.bandits.rewards import Rewards, RewardScale
from speciate.records import Dollars, Ordinal


class Exp3Bandit(Bandit):
    """Exponential weights with a fixed share of exploration (Auer 2002, Exp3).

    ``p_i = (1 − γ) w_i / Σ w + γ / K``; a reward x from 0 to 1 (see `Rewards`) of an arm that was picked with
    probability p multiplies its weight by ``exp(γ x / (p K))``. Arms may become better or worse during a run,
    as improvements become rare. p is that among all arms at the time of the pull, also where a situation left
    fewer to choose from.

    A new arm begins with the mean of the weights.

    Args:
        arms: names.
        exploration: γ, above 0 and at most 1.
        scale: in which units gains count.
    """

    def __init__(self, arms: Sequence[str], *, exploration: float = 0.1, scale: RewardScale = "none") -> None:
        self._gamma = exploration
        self._rewards = Rewards(scale)
        self._logs: dict[str, float] = {}
        self._played = False
        self._drawn: dict[Ordinal, float] = {}
        super().__init__(arms)

    @override
    def rearm(self, arms: Sequence[str]) -> None:
        super().rearm(arms)
        if not self._played:
            self._logs.clear()
        start = _log_mean(list(self._logs.values()))
        for arm in self.arms:
            self._logs.setdefault(arm, start)

    @override
    def _pulled(self, arm: str, ordinal: Ordinal) -> None:
        self._played = True
        if arm in self.arms:
            self._drawn[ordinal] = float(self.probabilities()[self.arms.index(arm)])

    @override
    def _rewarded(self, arm: str, ordinal: Ordinal, value: float | None, cost: Dollars | None) -> None:
        gain = self._rewards.relative(self._rewards.log_reward(value))
        chance = self._drawn.pop(ordinal, None)
        if chance is not None:
            self._logs[arm] += self._gamma * gain / (chance * len(self.arms))

    @override
    def _shares(self, usable: np.ndarray) -> np.ndarray:
        logs = np.where(usable, [self._logs[arm] for arm in self.arms], -np.inf)
        weights = np.exp(logs - logs.max())
        shares: np.ndarray = (1 - self._gamma) * weights / weights.sum() + self._gamma / usable.sum()
        return shares


def _log_mean(logs: Sequence[float]) -> float:
    """Returns the logarithm of the mean of the weights with these logarithms; 0 for none."""
    if not logs:
        return 0.0
    high = max(logs)
    return high + float(np.log(np.mean(np.exp(np.array(logs) - high))))
