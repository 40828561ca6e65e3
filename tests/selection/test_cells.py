"""Cells: a cell first, then who is in it."""

from __future__ import annotations

from speciate.selection import Cells, Ranked


def test_each_cell_is_as_likely_as_any_other() -> None:
    crowd = [Ranked(i, i + 1, -float(i), 0, cell) for i, cell in enumerate([(0, 0), (0, 0), (1, 0), (1, 2)])]
    assert Cells().probabilities(crowd).tolist() == [1 / 6, 1 / 6, 1 / 3, 1 / 3]


def test_without_cells_it_is_uniform() -> None:
    crowd = [Ranked(i, i + 1, -float(i), 0) for i in range(4)]
    assert Cells().probabilities(crowd).tolist() == [0.25] * 4
