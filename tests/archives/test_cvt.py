"""CVTArchive and the centroids it stands on."""

from __future__ import annotations

import numpy as np
import pytest

from speciate.archives import CVTArchive, spread
from speciate.archives.cvt import _nearest
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


def test_centroids_are_spread_more_evenly_than_random_points() -> None:
    points = stream(9, 0, "probe").random((20_000, 2))

    def imbalance(centroids: np.ndarray) -> float:
        shares = np.bincount(_nearest(points, centroids.T), minlength=len(centroids))
        return float(shares.std() / shares.mean())

    assert imbalance(spread(50, 2)) < 0.5 * imbalance(stream(9, 0, "random").random((50, 2)))
    assert ((spread(50, 2) >= 0) & (spread(50, 2) <= 1)).all()


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
