from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from typing_extensions import override

from speciate.bandits import Bandit, Exp3Bandit
from speciate.testing.bandits import BanditContract, regrets, teach


class TestExp3(BanditContract):
    @override
    def make_bandit(self, arms: Sequence[str]) -> Bandit:
        return Exp3Bandit(arms)


class TestExp3Scaled(BanditContract):
    @override
    def make_bandit(self, arms: Sequence[str]) -> Bandit:
        return Exp3Bandit(arms, exploration=0.9, scale="mad")


def test_a_reward_moves_a_weight_by_its_chance() -> None:
    bandit = teach(Exp3Bandit(["a", "b"], exploration=0.2), [("a", 1.0)])
    grown = math.exp(0.2 * 1.0 / (0.5 * 2))
    expected = [0.8 * grown / (grown + 1) + 0.1, 0.8 / (grown + 1) + 0.1]
    np.testing.assert_allclose(bandit.probabilities(), expected)


def test_a_late_reward_counts_by_the_chance_at_the_time_of_the_pull() -> None:
    bandit = Exp3Bandit(["a", "b"], exploration=0.2)
    bandit.pulled("a", 1)
    bandit.pulled("a", 2)
    bandit.reward(1, 1.0)
    bandit.reward(2, 1.0)
    grown = math.exp(0.2 * 2.0 / (0.5 * 2))
    np.testing.assert_allclose(bandit.probabilities()[0], 0.8 * grown / (grown + 1) + 0.1)


def test_a_new_arm_begins_with_the_mean_weight() -> None:
    bandit = teach(Exp3Bandit(["a", "b"], exploration=0.5), [("a", 1.0)] * 30)
    bandit.rearm(["a", "b", "new"])
    a, b, new = bandit.probabilities()
    assert b < new < a


def test_regret_stays_below_what_is_proven() -> None:
    arms, pulls = 3, 2_000
    gamma = min(1.0, math.sqrt(arms * math.log(arms) / ((math.e - 1) * pulls)))
    path = regrets(Exp3Bandit("abc", exploration=gamma), [0.9, 0.6, 0.3], pulls=pulls, seed=5)
    assert path[-1] < 2.63 * math.sqrt(pulls * arms * math.log(arms))  # Auer 2002, corollary 3.2


def test_it_follows_when_the_best_arm_changes() -> None:
    bandit = Exp3Bandit(["a", "b"], exploration=0.1)
    regrets(bandit, [0.9, 0.1], pulls=300, seed=6)
    assert bandit.probabilities()[0] > 0.8
    regrets(bandit, [0.1, 0.9], pulls=1_200, seed=7)
    assert bandit.probabilities()[1] > 0.8
