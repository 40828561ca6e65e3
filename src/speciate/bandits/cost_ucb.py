"""UCB1 that also looks at what an arm costs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from typing_extensions import override

from speciate.bandits.rewards import RewardScale
from speciate.bandits.tallies import Tally
from speciate.bandits.ucb import UCBBandit

CHEAPEST = 0.05
"""Least relative cost: a free arm is not infinitely better than one that costs money."""


class CostUCBBandit(UCBBandit):
    """Picks the highest bound for its money: the bound of UCB1 divided by ``cost^w``.

    The cost of an arm is its mean over ended pulls, in units of the dearest arm's, and at least 0.05. An arm
    whose price is unknown counts as the dearest, never as free. Dividing the whole bound is the rule of
    budgeted bandits (Tran-Thanh 2012, https://arxiv.org/abs/1204.1909).

    Args:
        arms: names.
        coefficient: as in UCB1.
        scale: in which units gains count.
        weight: w; 0 is UCB1, 1 is reward per dollar.
    """

    def __init__(
        self,
        arms: Sequence[str],
        *,
        coefficient: float = 1.0,
        scale: RewardScale = "none",
        weight: float = 1.0,
    ) -> None:
        super().__init__(arms, coefficient=coefficient, scale=scale)
        self._weight = weight

    @override
    def _bounds(self) -> np.ndarray:
        bounds: np.ndarray = super()._bounds() / relative_costs(self.tallies) ** self._weight
        return bounds


def relative_costs(tallies: Sequence[Tally]) -> np.ndarray:
    """Returns the mean cost of each arm in units of the dearest, from 0.05 to 1, shape ``(n,)``."""
    costs = [tally.mean_cost() for tally in tallies]
    dearest = max((cost for cost in costs if cost is not None), default=0.0)
    if dearest == 0:
        return np.ones(len(costs))
    return np.array([1.0 if cost is None else max(CHEAPEST, cost / dearest) for cost in costs])
