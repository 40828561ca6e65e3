"""When cells of two archives mean the same."""

from __future__ import annotations

import pytest

from speciate.archives import CVTArchive, EliteList, GridArchive, ParetoArchive, spread
from speciate.archives.base import Archive
from speciate.records import Axis

X = Axis.uniform("x", 0.0, 1.0, 4)
RANGES = [(0.0, 1.0), (0.0, 2.0)]

ARCHIVES: dict[str, Archive] = {
    "grid": GridArchive([X, Axis.uniform("y", 0.0, 1.0, 4)]),
    "finer": GridArchive([X, Axis.uniform("y", 0.0, 1.0, 5)]),
    "wider": GridArchive([X, Axis.uniform("y", 0.0, 2.0, 4)]),
    "one axis": GridArchive([X]),
    "cvt": CVTArchive(RANGES, spread(16, 2)),
    "other seed": CVTArchive(RANGES, spread(16, 2, seed=1)),
    "other ranges": CVTArchive(RANGES[::-1], spread(16, 2)),
}


def test_layouts_differ_wherever_cells_do() -> None:
    assert len({archive.layout for archive in ARCHIVES.values()}) == len(ARCHIVES)


@pytest.mark.parametrize("archive", ARCHIVES.values(), ids=ARCHIVES.keys())
def test_archives_made_alike_have_equal_layouts(archive: Archive) -> None:
    assert archive.emptied().layout == archive.copied().layout == archive.layout != ""


def test_archives_without_cells_have_none() -> None:
    assert EliteList().layout == ParetoArchive().layout == ""
