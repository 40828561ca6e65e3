"""Where warriors are loaded when nobody says where."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np

from speciate.errors import UsageError
from speciate.problems.corewar.scoring.company import Positions
from speciate.problems.corewar.settings import Settings
from speciate.problems.corewar.warrior import Warrior


def draw(warriors: Sequence[Warrior], settings: Settings, rounds: int, rng: np.random.Generator) -> Positions:
    """Draws positions: the first warrior at 0, all arrangements of the others equally likely.

    First cells are at least `min_distance` apart, and no code overlaps. With W warriors that stand at least d
    apart, S − W·d cells of the core are free; they are dealt out to the W gaps by choosing where among the
    cells W − 1 dividers stand, which makes every arrangement as likely as any other.

    Raises:
        UsageError: so many do not fit.
    """
    count, distance = len(warriors), max(settings.min_distance, *map(len, warriors))
    free = settings.core_size - count * distance
    if free < 0:
        raise UsageError(
            f"{count} warriors at least {distance} cells apart need {count * distance} cells and the core "
            f"has {settings.core_size}; use fewer warriors or a smaller min_distance"
        )
    return [_arrangement(count, distance, free, rng) for _ in range(rounds)]


def _arrangement(count: int, distance: int, free: int, rng: np.random.Generator) -> list[int]:
    """Draws one round's positions."""
    dividers = np.sort(rng.choice(free + count - 1, count - 1, replace=False))
    cells_before = dividers - np.arange(count - 1)
    places = cells_before + distance * np.arange(1, count)
    return [0, *rng.permutation(places).tolist()]


def draw_drq(warriors: Sequence[Warrior], settings: Settings, rounds: int, seed: int) -> Positions:
    """Returns the positions of Digital Red Queen (Kumar 2026, https://arxiv.org/abs/2601.03335).

    The core is cut into as many segments as there are warriors; each is shifted within its own by a number
    drawn with Python's generator, seeded with the number of the round. With seed 0 these are the very
    positions of the published code; round r uses `seed` + r.

    Raises:
        UsageError: a warrior is longer than its segment, so that code would overlap.
    """
    segment = settings.core_size // len(warriors)
    longest = max(map(len, warriors))
    if longest > segment:
        raise UsageError(
            f"{len(warriors)} warriors leave {segment} cells to each and one is {longest} long; "
            f"code would overlap: use fewer opponents or a larger core"
        )
    return [
        _segments(warriors, segment, settings.min_distance, random.Random(seed + r)) for r in range(rounds)
    ]


def _segments(warriors: Sequence[Warrior], segment: int, distance: int, rng: random.Random) -> list[int]:
    """Draws one round's positions."""
    shifts = [rng.randint(0, max(0, segment - len(warrior) - distance)) for warrior in warriors]
    return [seat * segment + shift for seat, shift in enumerate(shifts)]
