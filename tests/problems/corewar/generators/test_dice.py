from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from speciate.problems.corewar.generators import Priors, StepPrior
from speciate.problems.corewar.generators.dice import Dice, largest_quotient
from speciate.problems.corewar.settings import Settings

KINDS = (StepPrior(anywhere=0, small=0), StepPrior(even=0, small=0), StepPrior(even=0, anywhere=0))
SIZES = st.integers(min_value=1, max_value=1 << 16)
SEEDS = st.integers(min_value=0, max_value=1 << 30)


def dice(seed: int, size: int, steps: StepPrior | None = None) -> Dice:
    settings = Settings(core_size=size, max_length=1, min_distance=1)
    return Dice(np.random.default_rng(seed), settings, Priors(steps=steps or StepPrior()))


@given(SEEDS, SIZES, st.integers(min_value=1, max_value=40), st.sampled_from(KINDS))
def test_a_step_reaches_every_multiple_of_its_period(
    seed: int, size: int, least: int, kind: StepPrior
) -> None:
    throw = dice(seed, size, kind)
    period = throw.period(least)
    step = throw.step(period)
    assert size % period == 0
    assert period == 1 or least <= period < 4 * least
    assert math.gcd(step, size) == period or step == period == size


def widest(step: int, hits: int) -> int:
    """Returns the widest hole that so many hits leave in a core of 8000."""
    places = sorted(step * k % 8000 for k in range(hits))
    return int(np.diff([*places, places[0] + 8000]).max())


@given(SEEDS, st.integers(min_value=50, max_value=2000))
def test_even_steps_leave_no_wide_holes(seed: int, hits: int) -> None:
    """With the largest quotient q the widest hole is less than q + 2 times the mean one."""
    step = dice(seed, 8000, KINDS[0]).step(1)
    quotient = largest_quotient(step, 8000)
    assert quotient <= 16
    assert widest(step, hits) < (quotient + 2) * 8000 / hits


def test_the_golden_section_has_the_smallest_quotients() -> None:
    assert largest_quotient(5, 8) == largest_quotient(34, 55) == 2  # the last one closes the fraction
    assert largest_quotient(1, 8000) == 8000
    assert largest_quotient(3, 7) == 3


def test_small_steps_are_small() -> None:
    assert all(dice(seed, 8000, KINDS[2]).step(5) <= 5 * 11 for seed in range(50))


@given(SEEDS, st.integers(min_value=0, max_value=9), st.integers(min_value=-5, max_value=9))
def test_a_number_lies_between_its_bounds(seed: int, least: int, extra: int) -> None:
    number = dice(seed, 100).between(least, least + extra)
    assert least <= number <= max(least, least + extra)


@pytest.mark.parametrize("stunning", [0.0, 1.0])
def test_bombs_stun_as_often_as_the_priors_say(stunning: float) -> None:
    throw = Dice(np.random.default_rng(0), Settings(), Priors(stunning=stunning))
    assert {throw.bomb().startswith("spl") for _ in range(50)} == {stunning == 1.0}
