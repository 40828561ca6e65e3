from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from typing_extensions import override

from speciate.bandits import Bandit, UCBBandit
from speciate.seeds import stream
from speciate.testing.bandits import BanditContract, regrets, teach


class TestUCB(BanditContract):
    @override
    def make_bandit(self, arms: Sequence[str]) -> Bandit:
        return UCBBandit(arms)


class TestUCBScaled(BanditContract):
    @override
    def make_bandit(self, arms: Sequence[str]) -> Bandit:
        return UCBBandit(arms, coefficient=0.3, scale="mad")


def test_it_picks_the_highest_bound() -> None:
    told = [("a", 1.0), ("b", 1.0), ("b", None), ("c", None), ("a", 1.0)]
    bandit = teach(UCBBandit(["a", "b", "c"]), told)
    bounds = [
        1.0 + math.sqrt(2 * math.log(5) / 2),
        0.5 + math.sqrt(2 * math.log(5) / 2),
        0.0 + math.sqrt(2 * math.log(5) / 1),
    ]
    assert bandit.pick(stream(0, 0, "bandit")) == "abc"[int(np.argmax(bounds))]
    np.testing.assert_allclose(teach(UCBBandit("abc", coefficient=0.0), told).probabilities(), [1, 0, 0])


def test_arms_without_a_pull_come_first_and_share() -> None:
    bandit = teach(UCBBandit(["a", "b", "c"]), [("a", 5.0)])
    np.testing.assert_allclose(bandit.probabilities(), [0, 0.5, 0.5])
    bandit.rearm(["a", "b", "c", "new"])
    bandit.pulled("b", 10)
    bandit.pulled("c", 11)
    np.testing.assert_allclose(bandit.probabilities(), [0, 0, 0, 1])


def test_pulls_in_flight_count_as_pulls() -> None:
    bandit = UCBBandit(["a", "b"])
    teach(bandit, [("a", 1.0), ("b", 1.0)])
    for ordinal in range(10, 14):
        bandit.pulled("a", ordinal)
    np.testing.assert_allclose(bandit.probabilities(), [0, 1])
    for ordinal in range(10, 14):
        bandit.reward(ordinal, 1.0)
    np.testing.assert_allclose(bandit.probabilities(), [0, 1])  # b is the less explored of two equals
    assert [tally.pulls for tally in bandit.tallies] == [5, 1]
    np.testing.assert_allclose(bandit.means, [1, 1])


def test_regret_grows_like_the_logarithm() -> None:
    chances = [0.9, 0.6, 0.3]
    paths = np.array([regrets(UCBBandit("abc"), chances, pulls=8_000, seed=seed) for seed in range(3)])
    mean = paths.mean(axis=0)
    gaps = [0.9 - chance for chance in chances[1:]]
    for n in (500, 2_000, 8_000):
        proven = sum(8 * math.log(n) / gap + (1 + math.pi**2 / 3) * gap for gap in gaps)  # Auer 2002
        assert mean[n - 1] < proven
    # Equal steps for equal factors; at random each step would be four times the one before.
    first, second = mean[1_999] - mean[499], mean[7_999] - mean[1_999]
    assert 0 < second < 2 * first


@pytest.mark.parametrize("delay", [1, 7, 30])
def test_regret_stays_small_when_answers_come_late(delay: int) -> None:
    prompt = regrets(UCBBandit("abc"), [0.9, 0.6, 0.3], pulls=3_000, seed=1)
    late = regrets(UCBBandit("abc"), [0.9, 0.6, 0.3], pulls=3_000, seed=1, delays=[delay] * 3)
    assert late[-1] < 1.5 * prompt[-1] + delay


def test_a_fast_bad_arm_does_not_win_over_a_slow_good_one() -> None:
    bandit = UCBBandit(["slow", "fast"])
    regrets(bandit, [0.9, 0.2], pulls=1_000, seed=2, delays=[40, 1])
    slow, fast = (tally.pulls for tally in bandit.tallies)
    assert slow > 3 * fast
