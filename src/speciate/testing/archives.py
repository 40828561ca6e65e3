"""What every archive must pass: inherit `ArchiveContract` and say how one is made."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from speciate.archives import Archive
from speciate.records import Member, Placement

OBJECTIVES = 2
DIMENSIONS = 2

_scores = st.one_of(
    st.integers(-3, 3).map(float),  # many ties
    st.floats(-1e300, 1e300),
    st.sampled_from([-1e300, 1e300, -0.0, 0.0, 1e-300]),
)
_coordinates = st.one_of(st.floats(-0.5, 1.5), st.sampled_from([0.0, 0.25, 0.5, 1.0, -1e300, 1e300]))


@st.composite
def streams(draw: st.DrawFn, *, most: int = 40) -> list[Member]:
    """Members with different ordinals in any order: equal, negative and huge scores among them."""
    fitness = st.tuples(*[_scores] * OBJECTIVES)
    descriptor = st.tuples(*[_coordinates] * DIMENSIONS)
    values = draw(st.lists(st.tuples(fitness, descriptor), max_size=most))
    ordinals = draw(st.permutations(range(len(values))))
    return [Member(o, f, d) for o, (f, d) in zip(ordinals, values, strict=True)]


# The same test runs under each class that inherits it, on purpose.
contract = settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.differing_executors])


class ArchiveContract(ABC):
    """Tests that hold for every archive of two-dimensional descriptors and two objectives."""

    @abstractmethod
    def make(self) -> Archive:
        """Returns an empty archive with few places or cells, so that members compete."""

    @property
    def bound(self) -> int | None:
        """The most occupants it may hold: its cells, unless a subclass knows better."""
        return self.make().cells

    def fill(self, members: list[Member]) -> tuple[Archive, list[Placement]]:
        """Returns an archive to which the members were added in turn, and what it said."""
        archive = self.make()
        return archive, [archive.add(member) for member in members]

    @contract
    @given(members=streams())
    def test_the_best_score_is_never_lost(self, members: list[Member]) -> None:
        archive = self.make()
        top = float("-inf")
        for member in members:
            archive.add(member)
            top = max(top, member.fitness[0])
            best = archive.best()
            assert best is not None
            assert best.fitness[0] == top
            assert best in archive.ranked()

    @contract
    @given(members=streams())
    def test_a_fold_of_placements_gives_back_the_archive(self, members: list[Member]) -> None:
        live, placements = self.fill(members)
        folded = self.make()
        for member, placement in zip(members, placements, strict=True):
            folded.apply(member, placement)
        assert folded.ranked() == live.ranked()
        assert [folded.cell_of(m.ordinal) for m in live.ranked()] == [
            live.cell_of(m.ordinal) for m in live.ranked()
        ]

    @contract
    @given(members=streams(), offered=streams(most=5))
    def test_deciding_changes_nothing(self, members: list[Member], offered: list[Member]) -> None:
        archive, _ = self.fill(members)
        before = archive.ranked()
        strangers = [replace(m, ordinal=m.ordinal + len(members)) for m in offered]
        first = [archive.decide(member) for member in strangers]
        assert archive.ranked() is before
        assert [archive.decide(member) for member in strangers] == first

    @contract
    @given(members=streams())
    def test_occupants_are_those_kept_and_not_evicted_since(self, members: list[Member]) -> None:
        archive, bound = self.make(), self.bound
        expected: set[int] = set()
        for member in members:
            placement = archive.add(member)
            assert member.ordinal not in placement.evicted
            assert expected.issuperset(placement.evicted)
            expected.difference_update(placement.evicted)
            if placement.kept:
                expected.add(member.ordinal)
            assert {m.ordinal for m in archive.ranked()} == expected
            assert len(archive) == len(expected)
            assert bound is None or len(archive) <= bound

    @contract
    @given(members=streams())
    def test_nobody_ranks_before_one_that_beats_it_on_every_objective(self, members: list[Member]) -> None:
        archive, _ = self.fill(members)
        ranked = archive.ranked()
        for index, better in enumerate(ranked):
            for other in ranked[:index]:
                assert not all(b > o for b, o in zip(better.fitness, other.fitness, strict=True))

    @contract
    @given(members=streams(), picked=st.integers(0, 100))
    def test_a_removed_member_is_gone_and_may_return(self, members: list[Member], picked: int) -> None:
        archive, _ = self.fill(members)
        ranked = archive.ranked()
        if not ranked:
            return
        leaver = ranked[picked % len(ranked)]
        archive.remove(leaver.ordinal)
        assert leaver not in archive.ranked()
        assert len(archive) == len(ranked) - 1
        assert archive.add(leaver).kept
        assert archive.ranked() == ranked

    @contract
    @given(members=streams())
    def test_an_emptied_archive_starts_anew_with_the_same_rules(self, members: list[Member]) -> None:
        archive, placements = self.fill(members)
        again = archive.emptied()
        assert len(again) == 0
        assert again.best() is None
        assert again.cells == archive.cells
        assert [again.add(member) for member in members] == placements

    @contract
    @given(members=streams(), more=streams(most=5))
    def test_a_copy_holds_the_same_and_goes_its_own_way(
        self, members: list[Member], more: list[Member]
    ) -> None:
        archive, _ = self.fill(members)
        before, twin = archive.ranked(), archive.copied()
        assert twin.ranked() == before
        strangers = [replace(m, ordinal=m.ordinal + len(members)) for m in more]
        said = [twin.add(member) for member in strangers]
        assert archive.ranked() is before
        assert [archive.add(member) for member in strangers] == said
        assert archive.ranked() == twin.ranked()

    @contract
    @given(members=streams())
    def test_the_view_is_the_same_object_until_something_changes(self, members: list[Member]) -> None:
        archive = self.make()
        for member in members:
            before = archive.ranked()
            kept = archive.add(member).kept
            assert (archive.ranked() is before) == (not kept)
            assert archive.ranked() is archive.ranked()

    @contract
    @given(members=streams())
    def test_columns_say_what_the_ranked_members_say(self, members: list[Member]) -> None:
        archive = self.make()
        for member in members:
            archive.add(member)
            ranked, columns = archive.ranked(), archive.columns()
            assert columns.ordinals.tolist() == [m.ordinal for m in ranked]
            assert columns.scores.tolist() == [m.fitness[0] for m in ranked]
            assert columns.cells == tuple(archive.cell_of(m.ordinal) for m in ranked)
            assert archive.columns() is columns

    def test_unknown_ordinals_cannot_be_removed(self) -> None:
        archive, _ = self.fill([Member(0, (1.0, 1.0), (0.1, 0.1))])
        with pytest.raises(KeyError):
            archive.remove(7)

    def test_an_occupant_cannot_enter_twice(self) -> None:
        member = Member(0, (1.0, 1.0), (0.1, 0.1))
        archive, placements = self.fill([member])
        with pytest.raises(ValueError, match="already"):
            archive.decide(replace(member, fitness=(2.0, 2.0), descriptor=(0.9, 0.9)))
        with pytest.raises(ValueError, match=r"already|free cell"):
            archive.apply(member, placements[0])

    @pytest.mark.parametrize("score", [float("nan"), float("inf"), float("-inf")])
    def test_scores_that_are_not_finite_are_refused(self, score: float) -> None:
        with pytest.raises(ValueError, match="finite"):
            self.make().decide(Member(0, (score, 0.0), (0.1, 0.1)))
