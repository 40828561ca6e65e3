from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from speciate.tasks.formats.shims.shinka.shinka.utils.eval_stop import (
    create_early_stop_method,
    probability_above,
    student_cdf,
)

SCORES = st.lists(st.floats(-1e3, 1e3), min_size=3, max_size=20)


@given(st.floats(-60, 60), st.integers(1, 200))
def test_students_distribution_is_that_of_scipy(t: float, degrees: int) -> None:
    assert student_cdf(t, degrees) == pytest.approx(stats.t.cdf(t, degrees), abs=1e-5)


@given(SCORES, st.floats(-1e3, 1e3), st.sampled_from(["none", "bayesian", "ci", "hybrid"]))
def test_a_decision_is_consistent(scores: list[float], threshold: float, name: str) -> None:
    decision = create_early_stop_method(name).check(scores, threshold)
    assert decision.should_stop == (decision.prediction != "uncertain")
    assert 0 <= decision.confidence <= 1
    assert decision.trials_used == len(scores)
    if decision.prediction == "beats":
        assert math.fsum(scores) / len(scores) > threshold
    if decision.prediction == "fails":
        assert math.fsum(scores) / len(scores) < threshold


@pytest.mark.parametrize("name", ["bayesian", "ci", "hybrid"])
def test_clear_cases_stop_and_close_ones_go_on(name: str) -> None:
    method = create_early_stop_method(name, min_trials=4)
    rng = random.Random(1)
    scores = [rng.gauss(1.0, 0.1) for _ in range(8)]
    assert method.check(scores, 0.0).prediction == "beats"
    assert method.check(scores, 2.0).prediction == "fails"
    assert method.check(scores, sum(scores) / 8).prediction == "uncertain"
    assert not method.check(scores[:3], 0.0).should_stop


def test_scores_without_spread_are_sure() -> None:
    assert [probability_above([2.0] * 3, bar) for bar in (1.0, 2.0, 3.0)] == [1.0, 0.5, 0.0]


def test_an_interval_of_90_percent_errs_as_often_as_it_says() -> None:
    method, rng = create_early_stop_method("ci"), random.Random(2)
    wrong = sum(method.check([rng.gauss(0, 1) for _ in range(5)], 0.0).should_stop for _ in range(2000))
    assert 150 <= wrong <= 250


def test_an_unknown_method_is_refused() -> None:
    with pytest.raises(ValueError, match="'luck'"):
        create_early_stop_method("luck")
