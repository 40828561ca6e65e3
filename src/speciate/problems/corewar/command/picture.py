"""A core as a map of characters: pure data, drawn by `drawing`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from speciate.problems.corewar.mars import Glance

NOBODY: Final = -1
"""No warrior wrote any of these cells, or has a process there."""
OUTSIDE: Final = -2
"""Behind the last cell of the core."""

Seats = NDArray[np.int64]
Shares = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Standing:
    """How a warrior stands.

    Attributes:
        processes: how many it has.
        cells: cells that it wrote last.
        died: whole cycles it survived, None while it lives.
    """

    processes: int
    cells: int
    died: int | None


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """A core at one moment; each character of the map stands for so many cells, line by line.

    Attributes:
        cycle: whole cycles done.
        cells: cells a character stands for; the last one may stand for fewer.
        owners: (rows, columns) the warrior that wrote most of the cells last, `NOBODY` or `OUTSIDE`.
        shares: (rows, columns) share of the cells that it wrote last, 0 for nobody.
        busy: (rows, columns) the warrior with most processes there, or `NOBODY`.
        standings: of each warrior.
    """

    cycle: int
    cells: int
    owners: Seats
    shares: Shares
    busy: Seats
    standings: tuple[Standing, ...]


def picture(glance: Glance, columns: int, rows: int) -> Picture:
    """Returns the map of a core that fits a field of so many characters.

    Args:
        glance: how things stand.
        columns: most characters of a line; at least 1.
        rows: most lines; at least 1.
    """
    size, seats = len(glance.owners), len(glance.processes)
    cells = -(-size // (columns * rows))
    used = -(-size // cells)
    wide = min(columns, used)
    tall = -(-used // wide)
    owned = _tally(np.array(glance.owners) + 1, np.arange(size) // cells, seats + 1, wide * tall)[1:]
    addresses = np.concatenate([np.array(queue, np.int64) for queue in glance.processes])
    whose = np.repeat(np.arange(seats), [len(queue) for queue in glance.processes])
    running = _tally(whose, addresses // cells, seats, wide * tall)
    owners = _foremost(owned)
    owners[used:] = OUTSIDE
    held = np.bincount(np.arange(size) // cells, minlength=wide * tall)
    return Picture(
        cycle=glance.cycle,
        cells=cells,
        owners=owners.reshape(tall, wide),
        shares=(owned.max(axis=0) / np.maximum(held, 1)).reshape(tall, wide),
        busy=_foremost(running).reshape(tall, wide),
        standings=tuple(
            Standing(len(queue), int(count), died)
            for queue, count, died in zip(glance.processes, owned.sum(axis=1), glance.died, strict=True)
        ),
    )


def _tally(kinds: Seats, places: Seats, most_kinds: int, most_places: int) -> Seats:
    """Returns how often each kind occurs in each place, (kinds, places)."""
    counted = np.bincount(kinds * most_places + places, minlength=most_kinds * most_places)
    return np.asarray(counted.reshape(most_kinds, most_places))


def _foremost(tally: Seats) -> Seats:
    """Returns for each place the kind that occurs most, the first of equals; `NOBODY` where none does."""
    return np.where(tally.max(axis=0) > 0, tally.argmax(axis=0), NOBODY)
