from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from speciate.records import Direction, Objective
from speciate.reports import Series, draw_bands
from speciate.reports.bands import order_at_end

GRID = np.arange(4.0)


def series(label: str, *values: float) -> Series:
    line = np.array(values)
    return Series(label, line, line - 1, line + 1)


@pytest.mark.parametrize(("direction", "order"), [("maximize", [1, 0, 2]), ("minimize", [0, 1, 2])])
def test_the_best_at_the_end_comes_first(direction: Direction, order: list[int]) -> None:
    lines = [series("low", 5, 1), series("high", 0, 3), series("none", 9, math.nan)]
    assert order_at_end(lines, Objective("length", direction)) == order


def test_many_lines_with_gaps_are_drawn_and_equal_data_give_equal_files(tmp_path: Path) -> None:
    lines = [series(f"line {k}", math.nan, k, k + 1, k + 1) for k in range(10)]
    lines.append(Series("alone", GRID))
    for name in ("a.png", "b.png"):
        draw_bands(
            GRID,
            lines,
            objective=Objective("length", "maximize"),
            spent="dollars",
            title="t",
            path=tmp_path / name,
        )
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()
