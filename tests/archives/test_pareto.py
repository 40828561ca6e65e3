"""ParetoArchive: fronts, crowding and what is dropped."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from speciate.archives import ParetoArchive
from speciate.archives.pareto import crowding_distance, dominates, front_of
from speciate.records import Member, PlacementKind
from speciate.testing.archives import ArchiveContract

_points = st.lists(
    st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=15
)


class TestContract(ArchiveContract):
    bound = 5

    def make(self) -> ParetoArchive:
        return ParetoArchive(5)


class TestContractOfOnePlace(ArchiveContract):
    bound = 1

    def make(self) -> ParetoArchive:
        return ParetoArchive(1)


def archive_of(*fitness: tuple[float, ...], size: int = 10) -> ParetoArchive:
    archive = ParetoArchive(size)
    for ordinal, point in enumerate(fitness):
        archive.add(Member(ordinal, point))
    return archive


def ordinals(archive: ParetoArchive) -> list[int]:
    return [member.ordinal for member in archive.ranked()]


@given(_points)
def test_fronts_are_layers_of_domination(points: list[tuple[int, int, int]]) -> None:
    members = [Member(i, tuple(map(float, p))) for i, p in enumerate(points)]
    fronts = front_of(np.array([m.fitness for m in members]))
    for member, front in zip(members, fronts, strict=True):
        above = [fronts[other.ordinal] for other in members if dominates(other, member)]
        assert front == max(above, default=-1) + 1


def test_crowding_is_the_sum_of_relative_gaps() -> None:
    front = np.array([[0.0, 10.0], [1.0, 8.0], [4.0, 5.0], [10.0, 0.0]])
    distance = crowding_distance(front)
    assert math.isinf(distance[0])
    assert math.isinf(distance[3])
    np.testing.assert_allclose(distance[1:3], [0.4 + 0.5, 0.9 + 0.8])


def test_crowding_of_huge_scores_does_not_overflow() -> None:
    front = np.array([[-1.7e308, 1.7e308], [0.0, 0.0], [1.7e308, -1.7e308]])
    assert crowding_distance(front)[1] == pytest.approx(2.0)


def test_a_front_without_extent_has_no_crowding() -> None:
    np.testing.assert_array_equal(crowding_distance(np.ones((3, 2))), np.zeros(3))


def test_rank_is_front_then_crowding_then_ordinal() -> None:
    archive = archive_of((1.0, 1.0), (0.0, 10.0), (4.0, 7.0), (5.0, 6.0), (10.0, 0.0))
    assert ordinals(archive) == [1, 4, 3, 2, 0]


def test_a_full_archive_drops_the_most_crowded() -> None:
    archive = archive_of((0.0, 10.0), (1.0, 9.0), (10.0, 0.0), size=3)
    assert not archive.add(Member(3, (0.5, 9.5))).kept
    assert archive.add(Member(4, (5.0, 5.0))).evicted == (1,)


def test_a_dominated_one_makes_room() -> None:
    archive = archive_of((1.0, 1.0), (5.0, 5.0), size=2)
    placement = archive.add(Member(2, (2.0, 2.0)))
    assert placement.kind is PlacementKind.IMPROVED
    assert placement.evicted == (0,)


def test_a_stranger_to_the_evicted_is_kept_beside_the_others() -> None:
    archive = archive_of((0.0, 10.0), (5.0, 5.0), (5.1, 4.9), (10.0, 0.0), size=4)
    placement = archive.add(Member(4, (2.0, 8.0)))
    assert placement.kind is PlacementKind.KEPT
    assert placement.evicted == (1,)


def test_the_best_of_the_first_objective_stays_where_extremes_compete() -> None:
    archive = archive_of((5.0, 0.0), size=1)
    assert archive.add(Member(1, (6.0, -1.0))).kept
    assert not archive.add(Member(2, (0.0, 100.0))).kept
    assert ordinals(archive) == [1]


def test_a_repeated_point_does_not_push_out_a_different_one() -> None:
    archive = archive_of((0.0, 10.0), (5.0, 5.0), (10.0, 0.0), size=3)
    assert not archive.add(Member(3, (5.0, 5.0))).kept
    assert ordinals(archive) == [0, 2, 1]


def test_another_number_of_objectives_is_refused() -> None:
    with pytest.raises(ValueError, match="3 objectives, the archive holds 2"):
        archive_of((1.0, 2.0)).decide(Member(1, (1.0, 2.0, 3.0)))


def test_an_archive_without_places_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one place"):
        ParetoArchive(0)
