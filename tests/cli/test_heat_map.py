"""A grid archive drawn with characters."""

from __future__ import annotations

import numpy as np

from speciate.cli.heat_map import SHADES, WIDEST, heat_map
from speciate.records import Axis
from speciate.reports import ArchiveMap


def cells(scores: list[list[float]], *, x: Axis | None = None, y: Axis | None = None) -> ArchiveMap:
    values = np.array(scores)
    ordinals = np.where(np.isnan(values), -1, 7)
    columns = x or Axis.from_edges("steps", range(1, values.shape[1]))
    return ArchiveMap(columns, y, values, ordinals)


def test_the_second_axis_goes_upwards_and_shades_follow_the_score() -> None:
    grid = cells([[0.0, np.nan], [1.0, 3.0]], y=Axis.from_edges("reach", [10]))
    head, upper, lower, names = heat_map(grid)
    assert "steps →, reach ↑" in head
    assert "3 of 4 cells" in head
    assert upper.split() == ["≥10", SHADES[1] * 6, SHADES[3] * 6]
    assert lower.split() == ["<10", SHADES[0] * 6, "·"]
    assert names.split() == ["<1", "≥1"]


def test_one_axis_is_one_row() -> None:
    assert len(heat_map(cells([[1.0, 2.0, np.nan]]))) == 3


def test_equal_scores_and_a_single_cell_are_drawn() -> None:
    lines = heat_map(cells([[2.0]], x=Axis.from_edges("steps", [])))
    assert SHADES[-1] * 6 in lines[1]
    assert "any" in lines[2]


def test_an_empty_map_and_one_that_does_not_fit_are_left_out() -> None:
    assert heat_map(cells([[np.nan, np.nan]])) == []
    assert heat_map(cells([[1.0] * (WIDEST + 1)])) == []


def test_many_columns_are_drawn_narrow_and_without_names() -> None:
    lines = heat_map(cells([[1.0] * 30]))
    assert lines[1].split() == [SHADES[-1]] * 30
    assert len(lines) == 2
