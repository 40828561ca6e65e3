"""pyribs as the second opinion on our cells, and as the target of the export."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from ribs.archives import CVTArchive as RibsCVT
from ribs.archives import GridArchive as RibsGrid

from speciate.archives import CVTArchive, GridArchive, coverage, qd_score, spread, to_pyribs
from speciate.errors import MissingExtraError
from speciate.records import Axis, Descriptor, Member
from speciate.seeds import stream

OFFSET = -4.0


def random_members(seed: int, *, low: float = 0.0, high: float = 1.0, count: int = 600) -> list[Member]:
    """Scores are rounded, so that some members of a cell tie."""
    rng = stream(seed, 0, "members")
    points = rng.uniform(low, high, (count, 2))
    return [
        Member(i, (round(float(rng.normal()), 1),), (float(x), float(y))) for i, (x, y) in enumerate(points)
    ]


def assert_equal_maps(ours: GridArchive | CVTArchive, theirs: RibsGrid | RibsCVT) -> None:
    found = theirs.data(["index", "ordinal", "objective"])
    rows = {int(o): (int(i), float(f)) for i, o, f in zip(*(found[k] for k in found), strict=True)}
    assert rows == {m.ordinal: (flat(ours, m.ordinal), m.fitness[0]) for m in ours.ranked()}
    assert theirs.stats.coverage == pytest.approx(coverage(len(ours), ours.cells))
    assert theirs.stats.qd_score == pytest.approx(qd_score(ours.ranked(), OFFSET))


def flat(archive: GridArchive | CVTArchive, ordinal: int) -> int:
    cell = archive.cell_of(ordinal)
    assert cell is not None
    if isinstance(archive, GridArchive):
        return int(np.ravel_multi_index(cell, [axis.bins for axis in archive.axes]))
    return cell[0]


@pytest.mark.parametrize("seed", range(3))
def test_our_grid_and_theirs_agree_on_random_streams(seed: int) -> None:
    ours = GridArchive([Axis.uniform("x", -1, 1, 7), Axis.uniform("y", 0, 3, 5)])
    theirs = RibsGrid(
        solution_dim=1,
        dims=[7, 5],
        ranges=[(-1, 1), (0, 3)],
        qd_score_offset=OFFSET,
        extra_fields={"ordinal": ((), np.int64)},
    )
    for member in random_members(seed, low=-1.5, high=3.5):
        ours.add(member)
        theirs.add_single([0.0], member.fitness[0], member.descriptor or (), ordinal=member.ordinal)
    assert_equal_maps(ours, theirs)


@pytest.mark.parametrize("seed", range(3))
def test_our_cvt_and_theirs_agree_on_random_streams(seed: int) -> None:
    centroids = spread(40, 2, seed)
    ours = CVTArchive([(0, 1), (0, 1)], centroids)
    theirs = RibsCVT(
        solution_dim=1,
        centroids=centroids,
        ranges=[(0, 1), (0, 1)],
        qd_score_offset=OFFSET,
        extra_fields={"ordinal": ((), np.int64)},
    )
    for member in random_members(seed):
        ours.add(member)
        theirs.add_single([0.0], member.fitness[0], member.descriptor or (), ordinal=member.ordinal)
    assert_equal_maps(ours, theirs)


@pytest.mark.parametrize(
    "archive",
    [
        GridArchive([Axis.from_edges("x", [0.1, 0.11, 0.9]), Axis.uniform("y", 0, 1, 5)]),
        CVTArchive([(0, 0.5), (-10, 10)], spread(30, 2)),
    ],
)
def test_an_exported_map_has_the_same_cells_and_occupants(archive: GridArchive | CVTArchive) -> None:
    for member in random_members(7):
        archive.add(member)
    exported = to_pyribs(archive, qd_score_offset=OFFSET)
    assert_equal_maps(archive, exported)
    elites = exported.data(["ordinal", "solution"])
    descriptors: dict[int, Descriptor | None] = {m.ordinal: m.descriptor for m in archive.ranked()}
    for ordinal, solution in zip(elites["ordinal"], elites["solution"], strict=True):
        assert tuple(solution) == descriptors[int(ordinal)]


def test_an_empty_map_is_exported_empty() -> None:
    assert len(to_pyribs(GridArchive([Axis.uniform("x", 0, 1, 3)]))) == 0


def test_without_pyribs_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ribs", None)
    with pytest.raises(MissingExtraError, match=r"speciate\[qd\]"):
        to_pyribs(GridArchive([Axis.uniform("x", 0, 1, 3)]))
