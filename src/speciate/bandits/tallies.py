"""What bandits remember of an arm, and bandits that need no more."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from typing_extensions import override

from speciate.bandits.base import Bandit
from speciate.bandits.rewards import Rewards, RewardScale, log_add
from speciate.records import Dollars, Ordinal


@dataclass
class Tally:
    """One arm's pulls and rewards.

    Attributes:
        pulls: candidates given to it, those in flight included.
        log_sum: logarithm of the sum of its rewards.
        priced: pulls that have ended with a known cost.
        cost: dollars that these cost.
    """

    pulls: int = 0
    log_sum: float = -math.inf
    priced: int = 0
    cost: Dollars = 0.0

    def take(self, log_reward: float, cost: Dollars | None) -> None:
        """Takes note of the end of a pull."""
        self.log_sum = log_add(self.log_sum, log_reward)
        if cost is not None:
            self.priced += 1
            self.cost += cost

    def mean(self, rewards: Rewards) -> float:
        """Returns the mean reward of all pulls, from 0 to 1; one without pulls has 0."""
        return rewards.relative(self.log_sum - math.log(self.pulls)) if self.pulls else 0.0

    def mean_cost(self) -> Dollars | None:
        """Returns what a pull costs on average, or None while that is unknown."""
        return self.cost / self.priced if self.priced else None


class TallyBandit(Bandit):
    """Remembers a `Tally` an arm; who inherits says what follows from it.

    Args:
        arms: names.
        scale: in which units gains count.
    """

    def __init__(self, arms: Sequence[str], *, scale: RewardScale = "none") -> None:
        super().__init__(arms)
        self._rewards = Rewards(scale)
        self._known: defaultdict[str, Tally] = defaultdict(Tally)

    @property
    def tallies(self) -> tuple[Tally, ...]:
        """What is known of each arm, in the order of `arms`."""
        return tuple(self._known[arm] for arm in self.arms)

    @property
    def pulls(self) -> np.ndarray:
        """Pulls of each arm, shape ``(n,)``."""
        return np.array([tally.pulls for tally in self.tallies], dtype=float)

    @property
    def means(self) -> np.ndarray:
        """Mean rewards of each arm, from 0 to 1, shape ``(n,)``."""
        return np.array([tally.mean(self._rewards) for tally in self.tallies])

    @override
    def _pulled(self, arm: str, ordinal: Ordinal) -> None:
        self._known[arm].pulls += 1

    @override
    def _rewarded(self, arm: str, ordinal: Ordinal, value: float | None, cost: Dollars | None) -> None:
        self._known[arm].take(self._rewards.log_reward(value), cost)
