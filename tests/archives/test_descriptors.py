"""Axes, coverage and QD-Score."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from speciate.archives import coverage, qd_score
from speciate.archives.descriptors import best_by_cell
from speciate.records import Axis, Member

_numbers = st.floats(-1e300, 1e300)


@given(st.lists(_numbers, unique=True, max_size=8).map(sorted), st.lists(_numbers, min_size=1, max_size=20))
def test_a_bin_lies_between_its_edges(edges: list[float], values: list[float]) -> None:
    axis = Axis.from_edges("x", edges)
    walls = [-math.inf, *axis.edges, math.inf]
    for value in values:
        assert walls[axis.bin(value)] <= value < walls[axis.bin(value) + 1]


@given(st.integers(1, 60), _numbers, st.floats(1e-3, 1e3))
def test_uniform_bins_are_as_many_as_asked_for(bins: int, low: float, width: float) -> None:
    high = low + width * max(1.0, abs(low))
    axis = Axis.uniform("x", low, high, bins)
    assert axis.bins == bins
    assert axis.bin(low) == 0
    assert axis.bin(high) == bins - 1
    assert axis.range == (low, high)


def test_uniform_bins_are_equally_wide() -> None:
    axis = Axis.uniform("x", -1, 4, 5)
    np.testing.assert_allclose(axis.edges, [0, 1, 2, 3])


def test_a_range_as_wide_as_floating_point_goes_has_bins() -> None:
    assert Axis.uniform("x", -1.7e308, 1.7e308, 2).edges == (0.0,)


@pytest.mark.parametrize("edges", [[1, 1], [2, 1], [float("nan")], [0, float("inf")]])
def test_edges_that_do_not_increase_are_refused(edges: list[float]) -> None:
    with pytest.raises(ValueError, match="axis 'x'"):
        Axis.from_edges("x", edges)


@pytest.mark.parametrize(
    ("low", "high", "bins"), [(1, 1, 3), (2, 1, 3), (0, 1, 0), (1.0, math.nextafter(1.0, 2), 5)]
)
def test_a_range_that_cannot_be_cut_is_refused(low: float, high: float, bins: int) -> None:
    with pytest.raises(ValueError, match="axis 'x'"):
        Axis.uniform("x", low, high, bins)


def test_a_reversed_range_of_a_single_bin_is_refused() -> None:
    with pytest.raises(ValueError, match="range of axis 'x'"):
        Axis.uniform("x", 1, 0, 1)


def test_coverage_is_a_share() -> None:
    assert coverage(3, 12) == 0.25
    for filled, cells in [(0, 0), (3, 2), (-1, 2)]:
        with pytest.raises(ValueError, match="cannot be filled"):
            coverage(filled, cells)


def test_the_qd_score_subtracts_the_offset_from_each() -> None:
    members = [Member(0, (3.0,)), Member(1, (-1.0,))]
    assert qd_score(members, offset=-2.0) == 6.0
    assert qd_score([]) == 0.0


def test_the_qd_score_of_huge_scores_is_a_number() -> None:
    assert qd_score([Member(i, (1.7e308,)) for i in range(3)]) == math.inf
    assert qd_score([Member(0, (1.7e308,)), Member(1, (1.7e308,)), Member(2, (-1.7e308,))]) == pytest.approx(
        1.7e308
    )


def test_the_best_of_a_cell_is_the_better_then_the_older() -> None:
    a, b, c = Member(0, (1.0,)), Member(1, (2.0,)), Member(2, (2.0,))
    assert best_by_cell([((0,), a), ((0,), c), ((0,), b), ((1,), a)]) == {(0,): b, (1,): a}
