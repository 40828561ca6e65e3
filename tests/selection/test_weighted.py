"""Weighted: the formula, its scale, and scores that break naive code."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from speciate.selection import Ranked, Weighted

_ordinary = st.floats(-1e6, 1e6)


def crowd(scores: list[float], offspring: list[int] | None = None) -> list[Ranked]:
    children = offspring or [0] * len(scores)
    order = sorted(range(len(scores)), key=lambda i: -scores[i])
    ranks = {index: rank for rank, index in enumerate(order, start=1)}
    return [Ranked(i, ranks[i], s, n) for i, (s, n) in enumerate(zip(scores, children, strict=True))]


@given(st.lists(st.tuples(_ordinary, st.integers(0, 50)), min_size=1, max_size=20), st.floats(0, 20))
def test_the_papers_form_is_a_sigmoid_over_the_median_times_novelty(
    values: list[tuple[float, int]], pressure: float
) -> None:
    scores, offspring = [v[0] for v in values], [v[1] for v in values]
    arguments = np.clip(pressure * (np.array(scores) - np.median(scores)), -700, 700)
    weights = 1 / (1 + np.exp(-arguments)) / (1 + np.array(offspring))
    actual = Weighted(pressure, "none").probabilities(crowd(scores, offspring))
    np.testing.assert_allclose(actual, weights / weights.sum(), rtol=1e-6, atol=1e-12)


def test_mad_divides_by_the_median_absolute_deviation() -> None:
    scores = [10.0, 4.0, 3.0, 2.0, -5.0]  # median 3, deviations 7 1 0 1 8, their median 1
    paper = Weighted(2.0, "none").probabilities(crowd(scores))
    np.testing.assert_allclose(Weighted(2.0, "mad").probabilities(crowd(scores)), paper)
    wider = [1000 * score for score in scores]
    np.testing.assert_allclose(Weighted(2.0, "mad").probabilities(crowd(wider)), paper)


@given(
    st.lists(st.integers(-50, 50).map(float), min_size=1, max_size=20),
    st.sampled_from([2.0**-900, 0.125, 1024.0, 2.0**900]),
)
def test_with_mad_the_unit_of_the_score_does_not_matter(scores: list[float], unit: float) -> None:
    policy = Weighted(10.0, "mad")
    np.testing.assert_allclose(
        policy.probabilities(crowd([unit * score for score in scores])),
        policy.probabilities(crowd(scores)),
        rtol=1e-9,
    )


def test_when_most_scores_tie_the_better_and_the_worse_remain_apart() -> None:
    probabilities = Weighted(10.0, "mad").probabilities(crowd([2.0, 1.0, 1.0, 1.0, 1.0, 0.0]))
    assert probabilities[0] > probabilities[1] > probabilities[5]
    assert len(set(probabilities[1:5])) == 1


@pytest.mark.parametrize("scale", ["none", "mad"])
@pytest.mark.parametrize("score", [0.0, -1e300, 1.7e308, 5e-324])
def test_when_all_scores_tie_the_offspring_decide(scale: str, score: float) -> None:
    policy = Weighted(10.0, "mad" if scale == "mad" else "none")
    probabilities = policy.probabilities(crowd([score] * 3, [0, 1, 3]))
    np.testing.assert_allclose(probabilities, np.array([1, 1 / 2, 1 / 4]) / 1.75)


@pytest.mark.parametrize("scale", ["none", "mad"])
@given(scores=st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=2, max_size=20))
def test_a_better_score_is_never_less_likely_and_ties_stay_ties(scale: str, scores: list[float]) -> None:
    policy = Weighted(10.0, "mad" if scale == "mad" else "none")
    by_score = sorted(zip(scores, policy.probabilities(crowd(scores)).tolist(), strict=True))
    for (worse, p), (better, q) in itertools.pairwise(by_score):
        assert p <= q
        assert worse != better or p == q


def test_pressure_zero_leaves_the_offspring() -> None:
    probabilities = Weighted(0.0).probabilities(crowd([1e300, -1e300], [1, 0]))
    np.testing.assert_allclose(probabilities, [1 / 3, 2 / 3])


@pytest.mark.parametrize("pressure", [-1.0, math.inf, math.nan])
def test_a_pressure_out_of_range_is_refused(pressure: float) -> None:
    with pytest.raises(ValueError, match="pressure"):
        Weighted(pressure)


def test_most_scores_may_tie_at_one_end_of_floating_point_and_the_rest_at_the_other() -> None:
    probabilities = Weighted(10.0, "mad").probabilities(crowd([1.7e308] * 3 + [-1.7e308] * 4))
    np.testing.assert_allclose(probabilities, np.array([1.0] * 3 + [0.5] * 4) / 5)
