from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from typing_extensions import override

from speciate.bandits import Bandit, CostUCBBandit
from speciate.bandits.cost_ucb import relative_costs
from speciate.testing.bandits import BanditContract, regrets


class TestCostUCB(BanditContract):
    @override
    def make_bandit(self, arms: Sequence[str]) -> Bandit:
        return CostUCBBandit(arms)


def pulls(weight: float, costs: Mapping[str, float | None], chances: Sequence[float]) -> list[int]:
    bandit = CostUCBBandit(list(costs), weight=weight)
    regrets(bandit, chances, pulls=600, seed=3, costs=list(costs.values()))
    return [tally.pulls for tally in bandit.tallies]


def test_of_two_equals_the_cheaper_one_wins() -> None:
    dear, cheap = pulls(1.0, {"dear": 0.5, "cheap": 0.05}, [0.5, 0.5])
    assert cheap > 5 * dear


def test_what_is_better_by_more_than_it_costs_wins() -> None:
    dear, cheap = pulls(1.0, {"dear": 0.5, "cheap": 0.3}, [0.9, 0.1])
    assert dear > cheap


def test_weight_0_does_not_look_at_costs() -> None:
    costs = {"dear": 0.5, "cheap": 0.01}
    assert pulls(0.0, costs, [0.8, 0.3]) == pulls(0.0, dict.fromkeys(costs, 1.0), [0.8, 0.3])


def test_an_unknown_price_counts_as_the_dearest_and_a_free_one_is_not_infinitely_cheap() -> None:
    bandit = CostUCBBandit(["unknown", "free", "dear", "half", "new"])
    for ordinal, (arm, cost) in enumerate({"unknown": None, "free": 0.0, "dear": 2.0, "half": 1.0}.items()):
        bandit.pulled(arm, ordinal)
        bandit.reward(ordinal, None, cost=cost)
    np.testing.assert_allclose(relative_costs(bandit.tallies), [1.0, 0.05, 1.0, 0.5, 1.0])


def test_where_nothing_costs_anything_it_is_ucb() -> None:
    bandit = CostUCBBandit(["a", "b"])
    np.testing.assert_allclose(relative_costs(bandit.tallies), [1.0, 1.0])
