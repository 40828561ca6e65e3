"""EliteList: who holds a place when places are scarce."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from speciate.archives import EliteList
from speciate.records import Member, PlacementKind
from speciate.testing.archives import ArchiveContract


class TestContract(ArchiveContract):
    bound = 6

    def make(self) -> EliteList:
        return EliteList(6, elite_share=0.3)


class TestContractOfOnePlace(ArchiveContract):
    bound = 1

    def make(self) -> EliteList:
        return EliteList(1, elite_share=0.0)


class TestContractOfEliteOnly(ArchiveContract):
    bound = 4

    def make(self) -> EliteList:
        return EliteList(4, elite_share=1.0)


def filled(scores: list[float], *, share: float = 0.3) -> EliteList:
    archive = EliteList(len(scores), elite_share=share)
    for ordinal, score in enumerate(scores):
        archive.add(Member(ordinal, (score,)))
    return archive


def ordinals(archive: EliteList) -> list[int]:
    return [member.ordinal for member in archive.ranked()]


def test_a_better_one_replaces_the_worst() -> None:
    archive = filled([5.0, 1.0, 3.0])
    placement = archive.add(Member(3, (2.0,)))
    assert placement.kind is PlacementKind.IMPROVED
    assert placement.evicted == (1,)
    assert ordinals(archive) == [0, 2, 3]


def test_a_worse_one_is_not_kept() -> None:
    archive = filled([5.0, 1.0, 3.0])
    assert not archive.add(Member(3, (0.5,))).kept
    assert ordinals(archive) == [0, 2, 1]


def test_an_equal_newer_one_replaces_the_oldest_of_the_worst() -> None:
    archive = filled([5.0, 1.0, 1.0, 3.0])
    placement = archive.add(Member(4, (1.0,)))
    assert placement.kind is PlacementKind.KEPT
    assert placement.evicted == (1,)


def test_an_equal_older_one_is_not_kept() -> None:
    archive = EliteList(2, elite_share=0.5)
    archive.add(Member(5, (2.0,)))
    archive.add(Member(4, (1.0,)))
    assert not archive.decide(Member(3, (1.0,))).kept


def test_on_a_plateau_the_elites_stay_and_the_others_drift() -> None:
    archive = filled([1.0] * 10, share=0.3)
    for ordinal in range(10, 40):
        archive.add(Member(ordinal, (1.0,)))
    assert ordinals(archive) == [0, 1, 2, *range(33, 40)]


def test_with_elite_places_only_a_tie_changes_nothing() -> None:
    archive = filled([1.0, 1.0], share=1.0)
    assert not archive.add(Member(2, (1.0,))).kept
    assert archive.add(Member(3, (2.0,))).evicted == (1,)


@given(st.lists(st.integers(0, 3), min_size=1, max_size=40), st.floats(0, 1))
def test_an_elite_never_leaves_for_one_that_is_not_better(scores: list[int], share: float) -> None:
    archive = EliteList(5, elite_share=share)
    for ordinal, score in enumerate(scores):
        elites = archive.ranked()[: archive.elites]
        evicted = archive.add(Member(ordinal, (float(score),))).evicted
        assert all(member.fitness[0] < score for member in elites if member.ordinal in evicted)


@pytest.mark.parametrize(
    ("size", "share", "elites"),
    [(40, 0.3, 12), (100, 0.07, 7), (10, 0.01, 1), (10, 0.0, 1), (10, 1.0, 10), (7, 0.5, 4)],
)
def test_the_share_is_rounded_up_to_whole_places(size: int, share: float, elites: int) -> None:
    assert EliteList(size, elite_share=share).elites == elites


@pytest.mark.parametrize(("size", "share"), [(0, 0.3), (-1, 0.3), (5, -0.1), (5, 1.1), (5, float("nan"))])
def test_settings_out_of_range_are_refused(size: int, share: float) -> None:
    with pytest.raises(ValueError, match="elite"):
        EliteList(size, elite_share=share)
