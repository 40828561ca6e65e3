from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from speciate.bandits import Rewards
from speciate.bandits.rewards import REMEMBERED, log_add


@given(gain=st.floats(1e-300, 500))
def test_a_reward_is_the_formula_of_the_paper(gain: float) -> None:
    assert Rewards().log_reward(gain) == pytest.approx(math.log(math.expm1(gain)), rel=1e-9, abs=1e-9)


@given(gain=st.floats(max_value=0) | st.none())
def test_what_does_not_improve_earns_nothing(gain: float | None) -> None:
    rewards = Rewards()
    assert rewards.relative(rewards.log_reward(gain)) == 0.0


@given(
    gains=st.lists(st.floats(allow_nan=False), min_size=1, max_size=20),
    scale=st.sampled_from(["none", "mad"]),
)
def test_rewards_lie_from_0_to_1_however_large_the_gains(gains: list[float], scale: str) -> None:
    rewards = Rewards("mad" if scale == "mad" else "none")
    logs = [rewards.log_reward(gain) for gain in gains]
    relative = [rewards.relative(log) for log in logs]
    assert all(0.0 <= reward <= 1.0 for reward in relative)
    assert (max(relative) == 1.0) == (max(logs) > -math.inf)


def test_gains_of_contests_do_not_overflow() -> None:
    rewards = Rewards()
    first, second = rewards.log_reward(4000.0), rewards.log_reward(4001.0)
    assert rewards.relative(first) == pytest.approx(math.exp(-1))
    assert rewards.relative(second) == 1.0


def test_scaled_by_their_deviation_gains_of_any_size_are_rewarded_alike() -> None:
    gains = [-3.0, 1.0, 2.0, 0.5, -1.0, 4.0]
    for factor in (1e-9, 1.0, 1e9):
        small, large = Rewards("mad"), Rewards("mad")
        one = [small.log_reward(gain) for gain in gains]
        other = [large.log_reward(gain * factor) for gain in gains]
        np.testing.assert_allclose(one[1:], other[1:])  # the first has nothing to be measured by


def test_without_deviation_the_mean_takes_its_place_and_then_the_gain_itself() -> None:
    rewards = Rewards("mad")
    assert rewards.log_reward(2.0) == pytest.approx(math.log(math.expm1(2.0)))  # alone
    for _ in range(4):
        rewards.log_reward(2.0)
    # Five gains of 2 and one of 14: the median absolute deviation is 0, the mean one is 2.
    assert rewards.log_reward(14.0) == pytest.approx(math.log(math.expm1(14.0 / 2.0)))


def test_the_scale_forgets() -> None:
    rewards = Rewards("mad")
    for k in range(3 * REMEMBERED):
        rewards.log_reward(1000.0 * (k % 2))
    for k in range(REMEMBERED):
        rewards.log_reward(float(k % 2))
    assert rewards.log_reward(1.0) == pytest.approx(math.log(math.expm1(2.0)), rel=0.02)


@given(st.floats(-700, 700), st.floats(-700, 700))
def test_logarithms_add_up(one: float, other: float) -> None:
    assert log_add(one, other) == pytest.approx(np.logaddexp(one, other))
    assert log_add(one, -math.inf) == one
