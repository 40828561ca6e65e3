from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from speciate.statistics import area_under_curve, band, best_so_far, on_grid

scores = st.lists(st.none() | st.floats(allow_nan=False, allow_infinity=False), max_size=40)


@given(scores)
def test_best_so_far_is_the_maximum_of_the_valid_prefix(values: list[float | None]) -> None:
    curve = best_so_far(values)
    assert curve.shape == (len(values),)
    for n, best in enumerate(curve):
        valid = [value for value in values[: n + 1] if value is not None]
        assert best == max(valid) if valid else math.isnan(best)


def test_a_failed_candidate_does_not_lower_the_curve() -> None:
    np.testing.assert_array_equal(best_so_far([-3.0, None, -5.0, -1.0]), [-3.0, -3.0, -3.0, -1.0])


def test_a_step_curve_keeps_its_value_until_the_next() -> None:
    curve = on_grid(np.array([0.0, 2.0, 2.0, 5.0]), np.array([1.0, 3.0, 4.0, 9.0]), np.arange(-1.0, 7.0))
    np.testing.assert_array_equal(curve, [np.nan, 1.0, 1.0, 4.0, 4.0, 4.0, 9.0, 9.0])


def test_a_curve_without_values_is_unknown_everywhere() -> None:
    assert np.isnan(on_grid(np.array([]), np.array([]), np.arange(3.0))).all()


def test_area_counts_the_floor_before_the_first_valid_candidate() -> None:
    assert area_under_curve(best_so_far([None, None, 4.0, 4.0]), floor=1.0) == 2.5


def test_earlier_progress_has_the_larger_area() -> None:
    early = area_under_curve(best_so_far([0.0, 2.0, 2.0]), floor=0.0)
    late = area_under_curve(best_so_far([0.0, 0.0, 2.0]), floor=0.0)
    assert early > late


def test_huge_scores_have_an_area() -> None:
    assert area_under_curve(np.array([1e308, 1.5e308, 1.7e308]), floor=0.0) == pytest.approx(1.4e308)


def test_an_empty_curve_has_no_area() -> None:
    with pytest.raises(ValueError, match="no area"):
        area_under_curve(np.array([]), floor=0.0)


def test_band_gives_median_and_quartiles_position_by_position() -> None:
    curves = [np.array([0.0, float(k)]) for k in range(5)]
    quartiles = band(curves)
    np.testing.assert_array_equal(quartiles.median, [0.0, 2.0])
    np.testing.assert_array_equal(quartiles.low, [0.0, 1.0])
    np.testing.assert_array_equal(quartiles.high, [0.0, 3.0])


def test_band_is_unknown_where_a_run_has_no_value_yet() -> None:
    quartiles = band([best_so_far([None, 1.0]), best_so_far([0.0, 1.0])])
    assert math.isnan(quartiles.median[0])
    assert quartiles.median[1] == 1.0


def test_band_refuses_unequal_budgets() -> None:
    with pytest.raises(ValueError, match=r"lengths \[1, 2\]"):
        band([np.zeros(1), np.zeros(2)])
