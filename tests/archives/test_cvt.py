"""CVTArchive and the centroids it stands on."""

from __future__ import annotations

import numpy as np
import pytest

from speciate.archives import CVTArchive, cvt, spread
from speciate.archives.cvt import _blocks, _nearest, _squared_distances
from speciate.records import Member
from speciate.seeds import stream
from speciate.testing.archives import ArchiveContract

SEVEN = spread(7, 2)


class TestContract(ArchiveContract):
    def make(self) -> CVTArchive:
        return CVTArchive([(0, 1), (0, 1)], SEVEN)


def test_a_point_belongs_to_the_nearest_centroid() -> None:
    centroids = stream(3, 0, "centroids").random((40, 3))
    archive = CVTArchive([(0, 10), (-1, 1), (5, 6)], centroids)
    for point in stream(4, 0, "points").random((200, 3)):
        descriptor = (point[0] * 10, point[1] * 2 - 1, point[2] + 5)
        nearest = int(np.linalg.norm(centroids - point, axis=1).argmin())
        assert archive.locate(descriptor) == (nearest,)


def test_outside_a_range_counts_as_its_border() -> None:
    archive = CVTArchive([(0, 1), (0, 1)], spread(20, 2))
    assert archive.locate((-1e308, 0.3)) == archive.locate((0.0, 0.3))
    assert archive.locate((0.3, 1e308)) == archive.locate((0.3, 1.0))


def test_a_range_as_wide_as_floating_point_goes_is_scaled() -> None:
    archive = CVTArchive([(-1.7e308, 1.7e308)], np.array([[0.25], [0.75]]))
    assert [archive.locate((x,)) for x in (-1e308, 1e308)] == [(0,), (1,)]


def test_on_equal_distances_the_smaller_index_wins() -> None:
    archive = CVTArchive([(0, 1)], np.array([[0.75], [0.25], [0.25]]))
    assert archive.locate((0.5,)) == (0,)
    assert archive.locate((0.0,)) == (1,)


def test_equal_seeds_give_equal_centroids_and_others_do_not() -> None:
    np.testing.assert_array_equal(spread(30, 2, 5), spread(30, 2, 5))
    assert not np.array_equal(spread(30, 2, 5), spread(30, 2, 6))


@pytest.mark.parametrize(("cells", "dimensions"), [(50, 2), (700, 2), (700, 5), (400, 1)])
def test_centroids_are_spread_more_evenly_than_random_points(cells: int, dimensions: int) -> None:
    points = stream(9, 0, "probe").random((30 * cells, dimensions))
    chance = stream(9, 0, "random").random((cells, dimensions))
    even = spread(cells, dimensions)
    assert _quantization_error(points, even) < 0.9 * _quantization_error(points, chance)
    assert _imbalance(points, even) < 0.7 * _imbalance(points, chance)
    assert ((even >= 0) & (even <= 1)).all()


@pytest.mark.parametrize("dimensions", [1, 2, 4])
def test_spreading_in_blocks_is_as_even_as_spreading_all_cells_at_once(
    monkeypatch: pytest.MonkeyPatch, dimensions: int
) -> None:
    points = stream(9, 0, "probe").random((15_000, dimensions))
    in_blocks = spread(500, dimensions)
    monkeypatch.setattr(cvt, "_BLOCK", 500)
    at_once = spread(500, dimensions)
    assert not np.array_equal(in_blocks, at_once)
    assert _quantization_error(points, in_blocks) < 1.02 * _quantization_error(points, at_once)
    assert _imbalance(points, in_blocks) < 1.1 * _imbalance(points, at_once)


def test_spreading_takes_work_in_proportion_to_the_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counted in distances: four times the cells may cost four times as many, not sixteen times."""
    count = 0

    def counting(points: np.ndarray, columns: np.ndarray) -> np.ndarray:
        nonlocal count
        count += len(points) * columns.shape[1]
        return _squared_distances(points, columns)

    monkeypatch.setattr(cvt, "_squared_distances", counting)
    spread(500, 2)
    few, count = count, 0
    spread(2000, 2)
    assert count < 5 * few


def test_equal_centroids_can_be_cut_into_blocks() -> None:
    rng = stream(1, 0, "blocks")
    blocks = list(_blocks(rng.random((1000, 2)), np.full((300, 2), 0.5), rng))
    assert sorted(np.concatenate([block for _, block in blocks])) == list(range(300))
    assert sorted(np.concatenate([inside for inside, _ in blocks])) == list(range(1000))


def _imbalance(points: np.ndarray, centroids: np.ndarray) -> float:
    """Spread of the shares of space that the cells take, relative to their mean."""
    shares = np.bincount(_nearest(points, centroids.T), minlength=len(centroids))
    return float(shares.std() / shares.mean())


def _quantization_error(points: np.ndarray, centroids: np.ndarray) -> float:
    return float(_squared_distances(points, centroids.T).min(axis=1).mean())


def test_one_cell_takes_everything() -> None:
    archive = CVTArchive([(0, 1)], spread(1, 1))
    archive.add(Member(0, (1.0,), (0.9,)))
    assert archive.add(Member(1, (2.0,), (0.1,))).evicted == (0,)
    assert archive.cells == 1


def test_the_centroids_cannot_be_changed_from_outside() -> None:
    source = spread(5, 2)
    archive = CVTArchive([(0, 1), (0, 1)], source)
    source[0] = 9.0
    assert archive.centroids.max() <= 1
    with pytest.raises(ValueError, match="read-only"):
        archive.centroids[0] = 0.0


@pytest.mark.parametrize("ranges", [[], [(1, 1), (0, 1)], [(0, float("inf")), (0, 1)], [(0, 1)]])
def test_ranges_that_do_not_fit_are_refused(ranges: list[tuple[float, float]]) -> None:
    with pytest.raises(ValueError, match=r"ranges|shape"):
        CVTArchive(ranges, np.zeros((3, 2)))


@pytest.mark.parametrize("centroids", [np.zeros((0, 1)), np.zeros(3), np.full((2, 1), np.nan)])
def test_centroids_that_are_no_points_are_refused(centroids: np.ndarray) -> None:
    with pytest.raises(ValueError, match="centroids"):
        CVTArchive([(0, 1)], centroids)


@pytest.mark.parametrize(("cells", "dimensions"), [(0, 2), (2, 0)])
def test_no_cells_and_no_dimensions_are_refused(cells: int, dimensions: int) -> None:
    with pytest.raises(ValueError, match="at least one"):
        spread(cells, dimensions)
