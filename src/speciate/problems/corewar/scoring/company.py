"""Who meets, and whether they can: every complaint is one sentence that says what to do."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from operator import index

import numpy as np

from speciate.errors import UsageError
from speciate.problems.corewar.mars import MOST_SEATS
from speciate.problems.corewar.settings import MOST_ROUNDS, Settings
from speciate.problems.corewar.warrior import Warrior

Positions = list[list[int]]
"""Address of each warrior's first cell, [round][warrior]."""


def check_warriors(warriors: Sequence[Warrior], settings: Settings, *, most: int = MOST_SEATS) -> None:
    """Refuses a company that cannot meet under these rules.

    Raises:
        UsageError: nobody is there, too many are, or one of them was made for other rules.
    """
    if not warriors:
        raise UsageError("a battle needs at least one warrior; got none")
    if len(warriors) > most:
        raise UsageError(f"at most {most} warriors can meet; got {len(warriors)}")
    for number, warrior in enumerate(warriors):
        label = f"warrior {number} ({warrior.name or 'unnamed'})"
        if warrior.core_size != settings.core_size:
            raise UsageError(
                f"{label} is assembled for a core of {warrior.core_size} cells and this one has "
                f"{settings.core_size}; assemble it with these settings"
            )
        if not 1 <= len(warrior) <= settings.max_length:
            raise UsageError(
                f"{label} has {len(warrior)} instructions; allowed are 1 to {settings.max_length}"
            )
        if not 0 <= warrior.start < len(warrior):
            raise UsageError(f"{label} starts at {warrior.start}, outside its {len(warrior)} instructions")


def check_rounds(rounds: int) -> None:
    """Refuses a number of rounds that cannot be fought in one call: positions and counts of all are kept.

    Raises:
        UsageError: it is not a whole number from 1 to `MOST_ROUNDS`.
    """
    if not isinstance(rounds, int | np.integer) or not 1 <= rounds <= MOST_ROUNDS:
        raise UsageError(f"rounds is {rounds}; expected a whole number from 1 to {MOST_ROUNDS:,}")


def check_rows(positions: Sequence[Sequence[int]], warriors: int) -> Positions:
    """Returns the given positions as lists of plain numbers, one list a round.

    Raises:
        UsageError: they are no whole numbers, or a round has too few or too many.
    """
    try:
        rows = [[index(place) for place in row] for row in positions]
    except TypeError:
        raise UsageError(
            "positions are whole numbers in one list a round, as [[0, 4000], [0, 2000]]"
        ) from None
    for number, row in enumerate(rows):
        if len(row) != warriors:
            raise UsageError(f"round {number} has {len(row)} positions for {warriors} warriors")
    return rows


def check_positions(
    positions: Sequence[Sequence[int]], warriors: Sequence[Warrior], settings: Settings
) -> Positions:
    """Returns the given positions, reduced to addresses of the core.

    Raises:
        UsageError: they have another shape, or two warriors would overlap.
    """
    if not positions:
        raise UsageError("positions are given, but for no round; leave them out to have them drawn")
    rows = [[place % settings.core_size for place in row] for row in check_rows(positions, len(warriors))]
    for number, row in enumerate(rows):
        _check_overlap(number, row, warriors, settings)
    return rows


def _check_overlap(number: int, row: Sequence[int], warriors: Sequence[Warrior], settings: Settings) -> None:
    """Refuses a round in which the code of one warrior reaches into that of the next."""
    order = sorted(range(len(row)), key=lambda seat: row[seat])
    for seat, neighbour in pairwise([*order, order[0]]):
        gap = (row[neighbour] - row[seat]) % settings.core_size or settings.core_size * (seat == neighbour)
        if gap < len(warriors[seat]):
            raise UsageError(
                f"in round {number} warrior {seat} at {row[seat]}, {len(warriors[seat])} cells long, reaches "
                f"into warrior {neighbour} at {row[neighbour]}"
            )
