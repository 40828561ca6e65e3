"""Migration: members move, nobody is lost, the best stay."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from speciate.archives import (
    Archive,
    EliteList,
    GridArchive,
    ParetoArchive,
    Population,
    PopulationConfig,
    apply_moves,
    decide_migration,
    migration_due,
)
from speciate.records import Axis, Member, Move, Placement, PlacementKind
from speciate.seeds import stream
from speciate.testing.archives import streams

ARCHIVES: list[Callable[[], Archive]] = [
    lambda: EliteList(5),
    lambda: GridArchive([Axis.uniform("a", 0, 1, 3), Axis.uniform("b", 0, 1, 2)]),
    lambda: ParetoArchive(5),
]


def peopled(make: Callable[[], Archive], members: list[Member], islands: int = 3) -> Population:
    population = Population([make() for _ in range(islands)])
    for member in members:
        homes = range(islands) if member.ordinal == 0 else (member.ordinal % islands,)
        population.apply(member, population.decide(member, homes))
    return population


def migrate(population: Population, fraction: float, seed: int) -> tuple[Move, ...]:
    """Decides and applies in one go."""
    moves = decide_migration(population, fraction, stream(seed, 0, "migration"))
    apply_moves(population, moves)
    return moves


def census(population: Population) -> Counter[int]:
    return Counter(m.ordinal for i in range(population.islands) for m in population.ranked(i))


@pytest.mark.parametrize("make", ARCHIVES)
@settings(deadline=None, max_examples=50)
@given(members=streams(), fraction=st.floats(0, 1), seed=st.integers(0, 1000))
def test_nobody_is_lost_or_doubled_but_the_evicted(
    make: Callable[[], Archive], members: list[Member], fraction: float, seed: int
) -> None:
    population = peopled(make, members)
    before = census(population)
    moves = migrate(population, fraction, seed)
    evicted = Counter(ordinal for move in moves for ordinal in move.placement.evicted)
    assert census(population) == before - evicted
    assert sum(evicted.values()) == sum(before.values()) - sum(census(population).values())


@pytest.mark.parametrize("make", ARCHIVES)
@settings(deadline=None, max_examples=50)
@given(members=streams(), fraction=st.floats(0, 1), seed=st.integers(0, 1000))
def test_the_best_of_an_island_never_moves_and_no_island_gets_worse(
    make: Callable[[], Archive], members: list[Member], fraction: float, seed: int
) -> None:
    population = peopled(make, members)
    best = [population.archive(island).best() for island in range(population.islands)]
    moves = migrate(population, fraction, seed)
    for move in moves:
        home = best[move.source]
        assert home is not None
        assert move.ordinal != home.ordinal
        assert move.target != move.source
    for island, old in enumerate(best):
        new = population.archive(island).best()
        assert (old is None) or (new is not None and new.fitness[0] >= old.fitness[0])


@pytest.mark.parametrize("make", ARCHIVES)
@settings(deadline=None, max_examples=50)
@given(members=streams(), seed=st.integers(0, 1000))
def test_deciding_changes_nothing_and_can_be_repeated(
    make: Callable[[], Archive], members: list[Member], seed: int
) -> None:
    population = peopled(make, members)
    before = [population.ranked(i) for i in range(3)]
    moves = decide_migration(population, 0.5, stream(seed, 0, "migration"))
    assert all(population.ranked(i) is view for i, view in enumerate(before))
    assert decide_migration(population, 0.5, stream(seed, 0, "migration")) == moves


@pytest.mark.parametrize(
    ("fraction", "migrants"), [(0.0, 0), (0.01, 1), (0.1, 1), (0.15, 2), (0.5, 5), (1.0, 10)]
)
def test_the_share_is_rounded_half_up_and_is_at_least_one(fraction: float, migrants: int) -> None:
    population = Population([EliteList(40), EliteList(40)])
    for ordinal in range(11):
        population.apply(Member(ordinal, (float(ordinal),)), ((0, Placement(PlacementKind.NEW)),))
    moves = migrate(population, fraction, 1)
    assert len(moves) == migrants
    assert all(move.placement.kept for move in moves)
    assert len(population.ranked(1)) == migrants


def test_a_migrant_that_the_target_refuses_stays_at_home() -> None:
    population = Population([EliteList(2), EliteList(1)])
    for ordinal, (score, island) in enumerate([(9.0, 0), (1.0, 0), (5.0, 1)]):
        population.apply(Member(ordinal, (score,)), ((island, Placement(PlacementKind.NEW)),))
    (move,) = migrate(population, 1.0, 1)
    assert (move.ordinal, move.placement.kept) == (1, False)
    assert population.islands_of(1) == (0,)


def test_one_that_lives_on_the_target_already_stays_at_home() -> None:
    population = peopled(lambda: EliteList(5), [Member(0, (1.0,)), Member(2, (9.0,)), Member(3, (9.0,))], 2)
    moves = migrate(population, 1.0, 1)
    assert [(m.ordinal, m.placement.kept) for m in moves] == [(0, False), (0, False)]
    assert population.islands_of(0) == (0, 1)


def test_targets_and_migrants_are_drawn_uniformly() -> None:
    targets: Counter[int] = Counter()
    migrants: Counter[int] = Counter()
    for run in range(900):
        population = Population([EliteList(9) for _ in range(4)])
        for ordinal in range(4):
            population.apply(Member(ordinal, (float(ordinal),)), ((1, Placement(PlacementKind.NEW)),))
        (move,) = migrate(population, 0.1, run)
        targets[move.target] += 1
        migrants[move.ordinal] += 1
    assert set(targets) == {0, 2, 3}
    assert set(migrants) == {0, 1, 2}
    for count in [*targets.values(), *migrants.values()]:
        assert abs(count - 300) < 4.5 * (900 * 1 / 3 * 2 / 3) ** 0.5


def test_moves_that_do_not_fit_the_population_are_refused() -> None:
    members = [Member(ordinal, (float(ordinal),)) for ordinal in range(9)]
    moves = migrate(peopled(lambda: EliteList(5), members), 1.0, 1)
    with pytest.raises(KeyError):
        apply_moves(peopled(lambda: EliteList(5), []), moves)


def test_a_single_island_has_no_migration() -> None:
    assert migrate(peopled(lambda: EliteList(5), [Member(0, (1.0,))], 1), 0.5, 1) == ()


@pytest.mark.parametrize("fraction", [-0.1, 1.1, float("nan")])
def test_a_share_out_of_range_is_refused(fraction: float) -> None:
    with pytest.raises(ValueError, match="share"):
        migrate(peopled(lambda: EliteList(5), []), fraction, 1)


def test_migration_is_due_after_every_interval() -> None:
    config = PopulationConfig(islands=2, migration_interval=3, migration_fraction=0.1)
    assert [placed for placed in range(10) if migration_due(config, placed, 2)] == [3, 6, 9]
    assert not migration_due(config, 3, 1)
    assert not migration_due(config.model_copy(update={"migration_fraction": 0.0}), 3, 2)
