"""Occupants: columns that look like records."""

from __future__ import annotations

import numpy as np
from hypothesis import given

from speciate.archives import EliteList, GridArchive, Population
from speciate.records import Axis, Member
from speciate.selection import Occupants, OccupantsView, Ranked
from speciate.testing.policies import occupants


@given(occupants())
def test_columns_give_back_their_records(crowd: list[Ranked]) -> None:
    columns = Occupants.of(crowd)
    assert list(columns) == crowd
    assert [columns[i] for i in range(len(columns))] == crowd
    assert columns[1:3] == crowd[1:3]
    assert columns[-1] == crowd[-1]
    assert Occupants.of(columns) is columns


def test_a_view_shows_rank_offspring_and_cell() -> None:
    population = Population([GridArchive([Axis.uniform("x", 0, 1, 2)])])
    for member in (Member(0, (1.0,), (0.1,)), Member(1, (2.0,), (0.9,))):
        population.apply(member, population.decide(member, (0,)))
    population.note_offspring(0)
    assert list(OccupantsView(population).of(0)) == [Ranked(1, 1, 2.0, 0, (1,)), Ranked(0, 2, 1.0, 1, (0,))]


def test_a_view_follows_the_population_and_what_it_gave_does_not_change() -> None:
    population = Population([EliteList(2), EliteList(2)])
    view = OccupantsView(population)
    assert len(view.of(0)) == 0
    population.apply(Member(0, (1.0,)), population.decide(Member(0, (1.0,)), (0,)))
    first = view.of(0)
    population.note_offspring(0)
    population.apply(Member(1, (2.0,)), population.decide(Member(1, (2.0,)), (0,)))
    assert list(first) == [Ranked(0, 1, 1.0, 0)]
    assert list(view.of(0)) == [Ranked(1, 1, 2.0, 0), Ranked(0, 2, 1.0, 1)]
    assert len(view.of(1)) == 0


def test_a_view_builds_nothing_anew_while_the_island_stays() -> None:
    population = Population([EliteList(2)])
    population.apply(Member(0, (1.0,)), population.decide(Member(0, (1.0,)), (0,)))
    view = OccupantsView(population)
    assert view.of(0).fitness is view.of(0).fitness
    np.testing.assert_array_equal(view.of(0).ranks, [1])
