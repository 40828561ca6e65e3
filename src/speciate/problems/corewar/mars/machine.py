"""What the readable simulator works on: a machine, its rules, its battles and their outcome, as integers.

All are named tuples of plain integers and flat sequences: numpy arrays for the compiled kernel, lists for the
interpreted one. A cell is one integer of 46 bits, so that MOV.I is one load and one store:

    bits 45..41   40..38     37..35   34..32   31..16   15..0
         opcode   modifier   A mode   B mode   A        B
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from typing import Final, NamedTuple

from speciate.problems.corewar.instructions import EMPTY, Modifier

FIELD: Final = 0xFFFF
"""Mask of one number, and the largest number."""
A_SHIFT: Final = 16
OPCODE_SHIFT: Final = 41
A_FIELD: Final = FIELD << A_SHIFT
FIELDS: Final = A_FIELD | FIELD
WHOLE: Final = (1 << 46) - 1
EMPTY_CELL: Final = EMPTY.modifier << 38 | EMPTY.a_mode << 35 | EMPTY.b_mode << 32

QUEUED: Final = 1
WRITTEN: Final = 2
READ: Final = 4
"""Bits of `Machine.marks`."""

VERDICT, COVERED, FULL, TRACED = 0, 1, 2, 3
"""Values of `Law.counting`. The last one serves traces: it also marks what is read."""

TURN, CYCLE, LIVING, EARLY, LEFT, AGAIN = 0, 1, 2, 3, 4, 5
"""Indices of `Machine.clock`."""

Numbers = MutableSequence[int]
"""A numpy array when compiled, a list when not."""

MASKS: Final = tuple(
    {Modifier.A: A_FIELD, Modifier.BA: A_FIELD, Modifier.B: FIELD, Modifier.AB: FIELD, Modifier.I: WHOLE}.get(
        modifier, FIELDS
    )
    for modifier in Modifier
)
"""For each modifier the bits of the target it works on."""
CROSSED: Final = tuple(
    A_SHIFT if modifier in (Modifier.AB, Modifier.BA, Modifier.X) else 0 for modifier in Modifier
)
"""For each modifier by how much the numbers of the source are rotated to lie over those of the target."""


class Law(NamedTuple):
    """`batch.Rules` as numbers.

    Attributes:
        size: cells of the core.
        cycles: cycles of a round.
        processes: most processes of a warrior.
        pspace: cells of a P-space.
        read_limit: how far an instruction can read.
        write_limit: how far an instruction can write.
        limited: 1 if either of them is less than the core.
        rotate: 1 if the first seat changes from round to round.
        one_left: 1 if a round ends when one of several is left; it then has pMARS's clock, too.
        stop_early: 1 if it also ends when nobody can die any more, unless what is stored until then may
            matter in a later round.
        counting: `VERDICT`, `COVERED`, `FULL` or `TRACED`.
    """

    size: int
    cycles: int
    processes: int
    pspace: int
    read_limit: int
    write_limit: int
    limited: int
    rotate: int
    one_left: int
    stop_early: int
    counting: int


class Machine(NamedTuple):
    """One core with its warriors, between two instructions. Rows of several seats lie one after the other.

    Attributes:
        core: (size,) the cells.
        queues: (seats × processes,) ring of addresses of each seat.
        heads: (seats,) where in its ring the next process of each seat stands.
        processes: (seats,) living processes of each seat.
        order: (seats,) the living seats in the order of their turns; valid up to `clock[LIVING]`.
        clock: (6,) index into `order` of the next turn, whole cycles done, seats alive, whether the round
            ends as soon as nobody can die any more, the turns that are left, and whether the clock has passed
            0 and begun again.
        lifetimes: (seats,) cycles survived; that of a living seat is not known yet.
        spawned: (seats,) processes started.
        marks: (seats × size,) what the seat did at each address; not read if nothing is counted.
        pspaces: (seats,) number of the P-space of each seat.
        results: (seats,) cell 0 of each seat's P-space.
        pspace: (seats × cells,) the P-spaces.
        masks: `MASKS`.
        crossed: `CROSSED`.
    """

    core: Numbers
    queues: Numbers
    heads: Numbers
    processes: Numbers
    order: Numbers
    clock: Numbers
    lifetimes: Numbers
    spawned: Numbers
    marks: Numbers
    pspaces: Numbers
    results: Numbers
    pspace: Numbers
    masks: Sequence[int]
    crossed: Sequence[int]


class Fights(NamedTuple):
    """`batch.Batch`, flat: `code` holds whole cells, rows of several seats lie one after the other."""

    code: Sequence[int]
    offsets: Sequence[int]
    starts: Sequence[int]
    lineups: Sequence[int]
    positions: Sequence[int]
    pspaces: Sequence[int]
    rounds: int
    seats: int


class Tally(NamedTuple):
    """`batch.Counts`, flat."""

    alive: Numbers
    lifetime: Numbers
    spawned: Numbers
    covered: Numbers
    written: Numbers
