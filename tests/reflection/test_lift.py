from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from speciate.reflection import Trials, chance_above, lift


def trials(most: int = 40) -> st.SearchStrategy[Trials]:
    return st.integers(0, most).flatmap(lambda n: st.integers(0, n).map(lambda k: Trials(n, k)))


@pytest.mark.parametrize(
    ("advised", "control"), [((3, 8), (1, 9)), ((0, 8), (4, 10)), ((40, 100), (30, 100)), ((1, 1), (0, 1))]
)
def test_the_chance_is_that_of_drawing(advised: tuple[int, int], control: tuple[int, int]) -> None:
    one, other = (Trials(n, k) for k, n in (advised, control))
    rng = np.random.Generator(np.random.Philox(3))
    draws = [rng.beta(1 + t.improved, 1 + t.ended - t.improved, size=400_000) for t in (one, other)]
    assert chance_above(one, other) == pytest.approx(np.mean(draws[0] > draws[1]), abs=0.004)


@given(trials(), trials())
def test_the_chances_of_both_add_up_to_one(one: Trials, other: Trials) -> None:
    assert chance_above(one, other) + chance_above(other, one) == pytest.approx(1.0)


def test_the_interval_of_a_difference_is_the_published_one() -> None:
    # Newcombe 1998, Statistics in Medicine 17:873, table II, method 10: 56/70 − 48/80 and 9/10 − 3/10.
    for advised, control, low, high in (
        (Trials(70, 56), Trials(80, 48), 0.0524, 0.3339),
        (Trials(10, 9), Trials(10, 3), 0.1705, 0.8090),
    ):
        found = lift(advised, control)
        assert found is not None
        assert (found.low, found.high) == pytest.approx((low, high), abs=5e-5)


@given(trials(), trials())
def test_the_interval_holds_the_difference_and_stays_within_its_range(one: Trials, other: Trials) -> None:
    found = lift(one, other)
    assert (found is None) == (one.ended == 0 or other.ended == 0)
    if found is not None:
        assert -1 - 1e-9 <= found.low <= found.difference + 1e-12
        assert found.difference - 1e-12 <= found.high <= 1 + 1e-9


@pytest.mark.parametrize(("p", "q"), [(0.1, 0.1), (0.5, 0.2), (0.3, 0.6), (0.05, 0.3)])
def test_nineteen_of_twenty_intervals_hold_the_true_difference(p: float, q: float) -> None:
    rng = np.random.Generator(np.random.Philox(7))
    held = 0
    for one, other in zip(rng.binomial(40, p, 600), rng.binomial(12, q, 600), strict=True):
        found = lift(Trials(40, int(one)), Trials(12, int(other)))
        assert found is not None
        held += found.low <= p - q <= found.high
    assert 0.92 < held / 600 < 1.0
