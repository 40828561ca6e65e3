"""Population: several islands as one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from speciate.archives import EliteList, GridArchive, Population
from speciate.records import Axis, Member
from speciate.testing.archives import streams


def lists(islands: int = 2, size: int = 2) -> Population:
    return Population([EliteList(size) for _ in range(islands)])


def grids(islands: int = 2) -> Population:
    return Population([GridArchive([Axis.uniform("x", 0, 1, 4)]) for _ in range(islands)])


def add(population: Population, member: Member, *islands: int) -> None:
    population.apply(member, population.decide(member, islands))


def test_the_initial_program_lives_on_all_islands_and_counts_once() -> None:
    population = lists(3)
    add(population, Member(0, (1.0,)), 0, 1, 2)
    assert population.islands_of(0) == (0, 1, 2)
    assert population.size == 1
    assert population.occupants() == (Member(0, (1.0,)),)


def test_a_member_evicted_from_one_island_lives_on_at_the_other() -> None:
    population = lists(2, size=1)
    add(population, Member(0, (1.0,)), 0, 1)
    add(population, Member(1, (2.0,)), 0)
    assert population.islands_of(0) == (1,)
    assert population.member(0) == Member(0, (1.0,))
    add(population, Member(2, (2.0,)), 1)
    assert population.islands_of(0) == ()
    assert population.member(0) is None
    assert [m.ordinal for m in population.occupants()] == [1, 2]


def test_the_best_is_remembered_though_no_island_keeps_it() -> None:
    population = lists(1)
    add(population, Member(3, (1.0,)))
    assert population.best() == Member(3, (1.0,))
    assert population.size == 0


def test_of_equally_good_ones_the_smaller_ordinal_is_best() -> None:
    population = lists(1)
    for ordinal in (4, 7, 2):
        assert population.is_best(Member(ordinal, (1.0,))) == (ordinal != 7)
        add(population, Member(ordinal, (1.0,)), 0)
    assert population.best() == Member(2, (1.0,))


@settings(deadline=None)
@given(streams(), st.lists(st.sets(st.integers(0, 2)), min_size=40, max_size=40))
def test_index_and_best_agree_with_the_islands(members: list[Member], targets: list[set[int]]) -> None:
    population = lists(3)
    for member, islands in zip(members, targets, strict=False):
        add(population, member, *sorted(islands))
    here = {i: {m.ordinal for m in population.ranked(i)} for i in range(3)}
    for member in members:
        assert population.islands_of(member.ordinal) == tuple(
            i for i in range(3) if member.ordinal in here[i]
        )
    assert {m.ordinal for m in population.occupants()} == set().union(*here.values())
    assert population.best() == min(members, key=lambda m: (-m.fitness[0], m.ordinal), default=None)


@settings(deadline=None)
@given(streams())
def test_a_fold_of_placements_gives_back_the_population(members: list[Member]) -> None:
    live, folded = grids(), grids()
    for member in members:
        shorter = Member(member.ordinal, member.fitness, (member.descriptor or ())[:1])
        placements = live.decide(shorter, (member.ordinal % 2,))
        live.apply(shorter, placements)
        folded.apply(shorter, placements)
    assert folded.occupants() == live.occupants()
    assert [folded.ranked(i) for i in range(2)] == [live.ranked(i) for i in range(2)]
    assert folded.best() == live.best()


def test_the_map_of_all_islands_is_the_best_of_each_cell() -> None:
    population = grids()
    add(population, Member(0, (1.0,), (0.1,)), 0, 1)
    add(population, Member(1, (5.0,), (0.2,)), 1)
    add(population, Member(2, (2.0,), (0.9,)), 0)
    assert population.coverage == 0.5
    assert population.qd_score(offset=-1.0) == (5 + 1) + (2 + 1)
    assert population.cell_of(2, 0) == (3,)


def test_without_cells_there_is_no_coverage_and_all_occupants_score() -> None:
    population = lists()
    add(population, Member(0, (1.0,)), 0, 1)
    add(population, Member(1, (5.0,)), 1)
    assert population.coverage is None
    assert population.cell_of(0, 1) is None
    assert population.qd_score() == 6.0


def test_offspring_are_counted_for_any_ordinal() -> None:
    population = lists()
    for ordinal in (0, 5000, 5000):
        population.note_offspring(ordinal)
    assert [population.offspring(ordinal) for ordinal in (0, 1, 5000, 10**6)] == [1, 0, 2, 0]
    np.testing.assert_array_equal(population.offspring_of(np.array([5000, 3, 0])), [2, 0, 1])
    assert population.offspring_of(np.array([], dtype=int)).shape == (0,)


def test_a_new_epoch_is_empty_and_keeps_the_counts_of_offspring() -> None:
    population = grids()
    add(population, Member(0, (1.0,), (0.1,)), 0, 1)
    population.note_offspring(0)
    successor = population.emptied()
    successor.note_offspring(0)
    assert (successor.size, successor.best(), successor.islands) == (0, None, 2)
    assert (successor.offspring(0), population.offspring(0)) == (2, 1)
    assert population.size == 1


def test_a_copy_holds_the_same_and_goes_its_own_way() -> None:
    population = grids()
    add(population, Member(0, (1.0,), (0.1,)), 0, 1)
    add(population, Member(1, (0.5,), (0.1,)), 0)
    population.note_offspring(0)
    twin = population.copied()
    assert (twin.best(), twin.occupants(), twin.offspring(0)) == (
        Member(0, (1.0,), (0.1,)),
        (twin.member(0),),
        1,
    )
    add(twin, Member(2, (9.0,), (0.9,)), 0)
    twin.note_offspring(0)
    assert (population.size, population.offspring(0)) == (1, 1)
    assert population.best() == Member(0, (1.0,), (0.1,))


def test_members_of_given_archives_are_taken_over() -> None:
    archive = EliteList(3)
    archive.add(Member(4, (2.0,)))
    population = Population([archive])
    assert population.best() == Member(4, (2.0,))
    assert population.islands_of(4) == (0,)


def test_a_population_without_islands_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one island"):
        Population([])
