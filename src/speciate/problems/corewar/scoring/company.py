"""Who meets, and whether they can: every complaint is one sentence that says what to do."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from speciate.errors import UsageError
from speciate.problems.corewar.mars import MOST_SEATS
from speciate.problems.corewar.settings import Settings
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


def check_positions(
    positions: Sequence[Sequence[int]], warriors: Sequence[Warrior], settings: Settings
) -> Positions:
    """Returns the given positions, reduced to addresses of the core.

    Raises:
        UsageError: a round has the wrong number of positions, or two warriors would overlap.
    """
    if not positions:
        raise UsageError("positions are given, but for no round; leave them out to have them drawn")
    rows = [[position % settings.core_size for position in row] for row in positions]
    for number, row in enumerate(rows):
        if len(row) != len(warriors):
            raise UsageError(f"round {number} has {len(row)} positions for {len(warriors)} warriors")
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
