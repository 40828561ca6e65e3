"""Migration: a few members of each island, never its best, move to another."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from speciate.archives.config import PopulationConfig
from speciate.archives.islands import Population
from speciate.records import Member, Move, Placement, PlacementKind


def migration_due(config: PopulationConfig, placed: int, islands: int) -> bool:
    """Says whether members migrate right after the `placed`-th candidate was placed (the first is 1).

    Args:
        config: the settings.
        placed: how many candidates are placed.
        islands: how many islands there are by now.
    """
    active = islands > 1 and config.migration_fraction > 0
    return active and placed > 0 and placed % config.migration_interval == 0


def decide_migration(population: Population, fraction: float, rng: np.random.Generator) -> tuple[Move, ...]:
    """Says who would migrate where, one move a migrant. Changes nothing.

    From each island ``fraction · (n − 1)`` of its n − 1 members other than its best are drawn without
    replacement, rounded half up, at least one when there is one and the fraction is not 0. All migrants are
    drawn before the first one leaves, so nobody migrates twice. They leave one after the other, island by
    island; each draws a target uniformly from the other islands, and the target's archive decides at that
    moment. A migrant that is not kept, or lives on the target already, stays at home: its move says
    ``NOT_KEPT``. One that an earlier migrant has evicted has no move. Members move, they are not copied
    (Lange 2025).

    Args:
        population: who lives where.
        fraction: share of the members of each island, 0 to 1.
        rng: the chance for migrants and targets.

    Returns:
        The moves, in the order in which `apply_moves` carries them out.

    Raises:
        ValueError: the fraction is out of range.
    """
    if not 0 <= fraction <= 1:
        raise ValueError(f"the migrating fraction is a share from 0 to 1, got {fraction}")
    if population.islands < 2 or fraction == 0:
        return ()
    drawn = [
        (island, m)
        for island in range(population.islands)
        for m in _migrants(population, island, fraction, rng)
    ]
    trial, moves = population.copied(), []  # each move is decided as those before it leave the islands
    for source, member in drawn:
        target = _target(population.islands, source, rng)
        if source in trial.islands_of(member.ordinal):
            move = Move(member.ordinal, source, target, _decide(trial, member, target))
            trial.apply_move(move)
            moves.append(move)
    return tuple(moves)


def apply_moves(population: Population, moves: Iterable[Move]) -> None:
    """Applies recorded moves in order and decides nothing.

    Raises:
        KeyError: a migrant does not live at its source, or someone to be evicted not on the target.
    """
    for move in moves:
        population.apply_move(move)


def _migrants(population: Population, island: int, fraction: float, rng: np.random.Generator) -> list[Member]:
    best = population.archive(island).best()
    others = [member for member in population.ranked(island) if member != best]
    if not others:
        return []
    count = max(1, int(fraction * len(others) + 0.5))
    return [others[index] for index in rng.choice(len(others), size=count, replace=False)]


def _target(islands: int, source: int, rng: np.random.Generator) -> int:
    """One of the other islands, uniformly."""
    target = int(rng.integers(islands - 1))
    return target + (target >= source)


def _decide(population: Population, member: Member, target: int) -> Placement:
    if target in population.islands_of(member.ordinal):
        return Placement(PlacementKind.NOT_KEPT)
    return population.decide(member, (target,))[0][1]
