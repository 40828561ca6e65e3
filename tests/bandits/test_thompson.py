from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typing_extensions import override

from speciate.bandits import Bandit, ThompsonBandit
from speciate.bandits.beta import chances_of_best
from speciate.testing.bandits import BanditContract, regrets, teach


class TestThompson(BanditContract):
    @override
    def make_bandit(self, arms: Sequence[str]) -> Bandit:
        return ThompsonBandit(arms)


@pytest.mark.parametrize(
    ("a", "b"),
    [((2, 3), (4, 2)), ((1, 1, 1), (1, 9, 30)), ((300, 310), (700, 690)), ((1.0, 1.2), (5000, 4000))],
)
def test_chances_are_those_of_drawing(a: tuple[float, ...], b: tuple[float, ...]) -> None:
    rng = np.random.Generator(np.random.Philox(1))
    drawn = rng.beta(a, b, size=(200_000, len(a))).argmax(axis=1)
    often = np.bincount(drawn, minlength=len(a)) / len(drawn)
    np.testing.assert_allclose(chances_of_best(np.array(a), np.array(b)), often, atol=0.005)


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.floats(1, 1e6), st.floats(1, 1e6)), min_size=2, max_size=6),
)
def test_chances_add_up_and_do_not_depend_on_the_order(pairs: list[tuple[float, float]]) -> None:
    a, b = np.array(pairs).T
    chances = chances_of_best(a, b)
    assert chances.sum() == pytest.approx(1)
    np.testing.assert_allclose(chances_of_best(a[::-1], b[::-1])[::-1], chances, atol=1e-9)


def test_equal_arms_are_equally_likely() -> None:
    bandit = teach(ThompsonBandit("abc"), [("a", 1.0), ("b", 1.0), ("c", 1.0)])
    np.testing.assert_allclose(bandit.probabilities(), [1 / 3] * 3, atol=1e-6)


def test_what_is_in_flight_counts_as_lost_for_the_time_being() -> None:
    bandit = ThompsonBandit(["a", "b"])
    bandit.pulled("a", 1)
    assert bandit.probabilities()[0] < 0.5
    bandit.reward(1, 1.0)
    assert bandit.probabilities()[0] > 0.5


def test_regret_grows_ever_more_slowly() -> None:
    path = regrets(ThompsonBandit("abc"), [0.9, 0.6, 0.3], pulls=2_000, seed=4)
    assert path[1_999] < 2.5 * path[249]
    assert path[1_999] < 60
