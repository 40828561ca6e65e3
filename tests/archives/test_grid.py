"""GridArchive: bins with arbitrary edges."""

from __future__ import annotations

import pytest

from speciate.archives import GridArchive
from speciate.records import Axis, Descriptor, Member, PlacementKind
from speciate.testing.archives import ArchiveContract


class TestContract(ArchiveContract):
    def make(self) -> GridArchive:
        return GridArchive([Axis.uniform("a", 0, 1, 3), Axis.from_edges("b", [0.25, 0.3])])


def grid() -> GridArchive:
    return GridArchive([Axis.from_edges("length", [10, 100, 1000]), Axis.uniform("depth", 0, 1, 2)])


@pytest.mark.parametrize(
    ("descriptor", "cell"),
    [
        ((5, 0.1), (0, 0)),
        ((10, 0.5), (1, 1)),
        ((999, 0.49), (2, 0)),
        ((-1e300, 7), (0, 1)),
        ((1e300, -7), (3, 0)),
    ],
)
def test_a_value_falls_into_its_bin_and_outside_into_an_end_bin(
    descriptor: Descriptor, cell: tuple[int, int]
) -> None:
    assert grid().decide(Member(0, (1.0,), descriptor)).cell == cell


def test_it_counts_the_cells_of_all_axes() -> None:
    assert grid().cells == 8


def test_a_strictly_better_one_takes_the_cell() -> None:
    archive = grid()
    archive.add(Member(0, (1.0,), (5, 0.1)))
    placement = archive.add(Member(1, (1.5,), (6, 0.2)))
    assert placement.kind is PlacementKind.IMPROVED
    assert placement.evicted == (0,)
    assert archive.occupant((0, 0)) == Member(1, (1.5,), (6, 0.2))
    assert archive.cell_of(1) == (0, 0)


def test_on_a_tie_the_occupant_stays() -> None:
    archive = grid()
    archive.add(Member(0, (1.0,), (5, 0.1)))
    placement = archive.add(Member(1, (1.0,), (6, 0.2)))
    assert not placement.kept
    assert placement.cell == (0, 0)


def test_a_worse_one_opens_an_empty_cell() -> None:
    archive = grid()
    archive.add(Member(0, (1.0,), (5, 0.1)))
    assert archive.add(Member(1, (-9.0,), (50, 0.1))).kind is PlacementKind.NEW
    assert [m.ordinal for m in archive.ranked()] == [0, 1]
    assert archive.occupant((3, 1)) is None


@pytest.mark.parametrize(
    "descriptor", [None, (), (1.0,), (1.0, 2.0, 3.0), (float("nan"), 0.0), (0.0, float("inf"))]
)
def test_a_descriptor_that_is_no_point_is_refused(descriptor: Descriptor | None) -> None:
    with pytest.raises(ValueError, match="descriptor of 2 finite numbers"):
        grid().decide(Member(0, (1.0,), descriptor))


def test_a_placement_without_a_free_cell_is_refused() -> None:
    archive = grid()
    placement = archive.add(Member(0, (1.0,), (5, 0.1)))
    with pytest.raises(ValueError, match="free cell"):
        archive.apply(Member(1, (2.0,), (5, 0.1)), placement)


def test_a_grid_without_axes_is_refused() -> None:
    with pytest.raises(ValueError, match="axis"):
        GridArchive([])
