from __future__ import annotations

from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from speciate.archives import DynamicConfig, EliteList, Population, decide_settlers, island_due
from speciate.records import Member
from speciate.seeds import stream
from speciate.testing.archives import streams

INITIAL = Member(0, (1.0,))


def peopled() -> Population:
    population = Population([EliteList(3), EliteList(3)])
    for member, islands in ((INITIAL, (0, 1)), (Member(1, (3.0,)), (0,)), (Member(2, (2.0,)), (1,))):
        population.apply(member, population.decide(member, islands))
    return population


@pytest.mark.parametrize(
    ("stale", "islands", "due"), [(9, 2, False), (10, 2, True), (11, 3, True), (50, 4, False)]
)
def test_an_island_opens_when_nothing_gets_better_as_long_as_there_is_room(
    stale: int, islands: int, due: bool
) -> None:
    assert island_due(DynamicConfig(stagnation=10, most=4), stale, islands) is due
    assert not island_due(DynamicConfig(), stale, islands)


@pytest.mark.parametrize(("seed", "settlers"), [("initial", {0}), ("best", {1}), ("random", {0, 1, 2})])
def test_who_settles_there_is_a_setting(
    seed: Literal["initial", "best", "random"], settlers: set[int]
) -> None:
    drawn = {
        member.ordinal
        for k in range(40)
        for member in decide_settlers(DynamicConfig(seed=seed), peopled(), INITIAL, stream(0, k, "island"))
    }
    assert drawn == settlers


def test_without_anybody_to_copy_an_island_opens_empty() -> None:
    for seed in ("best", "random"):
        config = DynamicConfig.model_validate({"seed": seed})
        nobody = Population([EliteList(3)])
        assert decide_settlers(config, nobody, None, stream(0, 0, "island")) == []
    assert decide_settlers(DynamicConfig(), peopled(), None, stream(0, 0, "island")) == []


def test_a_copy_is_the_same_candidate_in_one_more_place() -> None:
    population = peopled()
    size, best = population.size, population.best()
    copies = population.decide_open([Member(1, (3.0,))])
    assert population.islands == 2  # deciding changes nothing
    island = population.open_island((Member(ordinal, (3.0,)), placement) for ordinal, placement in copies)
    assert (island, population.islands) == (2, 3)
    assert population.islands_of(1) == (0, 2)
    assert (population.size, population.best()) == (size, best)
    assert population.emptied().islands == 3
    assert population.faults() == []


@settings(deadline=None)
@given(streams(), st.lists(st.integers(0, 3), max_size=40))
def test_a_population_with_new_islands_stays_in_order(members: list[Member], when: list[int]) -> None:
    population = Population([EliteList(2)])
    for member, turn in zip(members, when, strict=False):
        island = turn % population.islands
        population.apply(member, population.decide(member, (island,)))
        if turn == 3 and population.islands < 5:
            settlers = decide_settlers(
                DynamicConfig(seed="random"), population, None, stream(0, member.ordinal, "island")
            )
            known = {one.ordinal: one for one in settlers}
            population.open_island((known[o], p) for o, p in population.decide_open(settlers))
        assert population.faults() == []


def test_a_population_whose_parts_disagree_says_so() -> None:
    population = peopled()
    population.archive(0).remove(1)  # behind its back
    assert population.faults() == ["candidate 1 lives on islands [], not [0]"]
