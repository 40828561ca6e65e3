from __future__ import annotations

import math

import numpy as np
import pytest

from speciate.errors import UsageError
from speciate.records import EpochOpened, FailureKind, Objective, TextRef, text_hash
from speciate.reports import Measure, Unit, budget_curve, budget_grid
from speciate.testing.stories import Story

LENGTH = Measure(Objective("length", "maximize"))


def story() -> Story:
    """The initial program scores 1; then a failure, a rejection, 4 and 2, each after one model call."""
    told = Story().begin()
    told.scores(told.choose(), 1.0, public={"width": 5.0})
    for what in ("fails", "rejected", 4.0, 2.0):
        ordinal = told.choose(proposer="m")
        told.asks(ordinal)
        told.replies(ordinal)
        if what == "fails":
            told.fails(ordinal, FailureKind.EXCEPTION)
        elif what == "rejected":
            told.is_rejected(ordinal, "screen", "duplicate")
        else:
            told.scores(ordinal, float(what), public={"width": 10.0 - float(what)})
    return told


@pytest.mark.parametrize(
    ("unit", "spent"),
    [
        ("candidates", [0, 1, 2, 3, 4]),
        ("evaluations", [0, 1, 1, 2, 3]),
        ("tokens", [0, 110, 220, 330, 440]),
        ("cost", [0, 0.25, 0.5, 0.75, 1.0]),
    ],
)
def test_what_fails_is_paid_for_and_what_was_planted_is_not(unit: Unit, spent: list[float]) -> None:
    curve = budget_curve(story().history, LENGTH, unit)
    np.testing.assert_allclose(curve.spent, spent)
    np.testing.assert_array_equal(curve.best, [1, 1, 1, 4, 4])
    assert curve.total == spent[-1]


def test_a_metric_is_that_of_the_best_or_the_best_of_all() -> None:
    history = story().history
    width = Objective("width", "maximize")
    of_best = budget_curve(history, Measure(width, public=True), "candidates")
    of_any = budget_curve(history, Measure(width, public=True, incumbent=False), "candidates")
    np.testing.assert_array_equal(of_best.best, [5, 5, 5, 6, 6])
    np.testing.assert_array_equal(of_any.best, [5, 5, 5, 6, 8])


def test_less_of_a_metric_may_be_better() -> None:
    measure = Measure(Objective("width", "minimize"), public=True, incumbent=False)
    np.testing.assert_array_equal(budget_curve(story().history, measure, "candidates").best, [-5] * 5)


def test_a_best_without_the_metric_has_no_value() -> None:
    told = Story().begin()
    told.scores(told.choose(), 1.0, public={"width": 5.0})
    told.scores(told.choose(), 2.0, public={"width": "wide"})
    curve = budget_curve(told.history, Measure(Objective("width", "maximize"), public=True), "candidates")
    assert curve.best[0] == 5.0
    assert math.isnan(curve.best[1])


def test_a_metric_that_is_no_finite_number_is_none() -> None:
    told = Story().begin()
    told.scores(told.choose(), 1.0, public={"width": math.inf})
    told.scores(told.choose(), 2.0, public={"width": math.nan})
    measure = Measure(Objective("width", "maximize"), public=True, incumbent=False)
    assert np.isnan(budget_curve(told.history, measure, "candidates").best).all()


def test_unknown_prices_make_no_curve_over_dollars() -> None:
    told = Story().begin()
    told.scores(told.choose(), 1.0)
    ordinal = told.choose(proposer="m")
    told.asks(ordinal)
    told.replies(ordinal, cost=None)
    told.scores(ordinal, 2.0)
    with pytest.raises(UsageError, match="unknown price"):
        budget_curve(told.history, LENGTH, "cost")
    assert budget_curve(told.history, LENGTH, "tokens").total == 110


def test_scores_of_several_epochs_make_no_curve() -> None:
    told = Story().begin()
    told.scores(told.choose(), 1.0)
    text = "{}"
    told.write(EpochOpened(ordinal=0, part="1", epoch=1, context=TextRef(text_hash(text))), texts=[text])
    with pytest.raises(UsageError, match="2 epochs"):
        budget_curve(told.history, LENGTH, "candidates")


def test_an_empty_run_has_an_empty_curve() -> None:
    curve = budget_curve(Story().begin().history, LENGTH, "candidates")
    assert (curve.total, curve.best.size) == (0.0, 0)


@pytest.mark.parametrize(("amount", "points"), [(3, 4), (200, 201), (1000, 201), (1.5, 201), (0, 1)])
def test_the_grid_goes_from_nothing_to_the_budget(amount: float, points: int) -> None:
    grid = budget_grid(amount)
    assert (len(grid), grid[0], grid[-1]) == (points, 0.0, amount)
