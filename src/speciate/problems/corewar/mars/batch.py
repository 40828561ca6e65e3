"""What an engine takes and gives: many battles as numpy arrays, and the rules they share.

Every engine (C, numba, plain Python) reads these arrays and fills the same counts, number for number.
A *battle* is a line-up of warriors that meet for some *rounds*; a *seat* is a place in the line-up. P-space
lasts from round to round of a battle and is forgotten between battles.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from speciate.problems.corewar.instructions import Mode, Modifier, Opcode
from speciate.problems.corewar.settings import LARGEST_CORE, Settings
from speciate.problems.corewar.warrior import CELL_BYTES, Warrior

MOST_SEATS: Final = 64
"""Most warriors of one battle."""

Stop = Literal["verdict", "one_left", "never"]
"""When a round ends before its last cycle. ``never``: when all are dead. ``one_left``: when one warrior of
several is left (a lone one plays on), or none. ``verdict``: as ``one_left``, and also as soon as every living
warrior has more processes than it has turns left, so that none can die any more."""

Counting = Literal["verdict", "covered", "full"]
"""Which counts are filled. ``verdict``: `alive` and `lifetime`. ``covered``: also `spawned` and `covered`.
``full``: also `written`. Counts that are not filled are 0."""

Cells = NDArray[np.int32]
Flags = NDArray[np.uint8]
Cycles = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The rules that all battles of a call share.

    Attributes:
        core_size: cells of the core.
        cycles: cycles of a round; in one cycle every living warrior executes one instruction.
        processes: most processes of a warrior.
        pspace: cells of a P-space.
        read_limit: how far an instruction can read; the core size is no limit.
        write_limit: how far an instruction can write; the core size is no limit.
        rotate: whether round r begins with seat r modulo the number of warriors (pMARS); else with seat 0.
        stop: when a round ends early.
        counting: which counts are filled.

    Raises:
        ValueError: ``stop="verdict"`` is asked for with counts that need the whole round.
    """

    core_size: int
    cycles: int
    processes: int
    pspace: int
    read_limit: int
    write_limit: int
    rotate: bool = True
    stop: Stop = "one_left"
    counting: Counting = "verdict"

    def __post_init__(self) -> None:
        if self.stop == "verdict" and self.counting != "verdict":
            raise ValueError(
                f"counting {self.counting!r} needs a stop of 'one_left' or 'never', not 'verdict'"
            )

    @classmethod
    def of(
        cls,
        settings: Settings,
        *,
        rotate: bool = True,
        stop: Stop = "one_left",
        counting: Counting = "verdict",
    ) -> Rules:
        """Returns the rules of `settings`, the defaults of P-space and limits worked out."""
        return cls(
            core_size=settings.core_size,
            cycles=settings.cycles,
            processes=settings.processes,
            pspace=settings.pspace,
            read_limit=settings.read_limit or settings.core_size,
            write_limit=settings.write_limit or settings.core_size,
            rotate=rotate,
            stop=stop,
            counting=counting,
        )


@dataclass(frozen=True, slots=True)
class Batch:
    """Battles to be fought. All arrays are C-contiguous.

    Attributes:
        code: (cells, 6) opcode, modifier, A mode, A, B mode, B of every instruction of every warrior.
        offsets: (warriors + 1,) where each warrior begins in `code`; the last one is the number of cells.
        starts: (warriors,) offset of the first instruction to run, from the warrior's first cell.
        lineups: (battles, seats) index of the warrior, −1 in empty seats, which come last.
        positions: (battles, rounds, seats) address of the warrior's first cell; 0 in empty seats.
        pspaces: (battles, seats) number of the seat's P-space within its battle, from 0; equal numbers share
            all but cell 0, which holds the result of the last round and is each warrior's own. −1 in empty
            seats.
    """

    code: Cells
    offsets: Cells
    starts: Cells
    lineups: Cells
    positions: Cells
    pspaces: Cells

    @property
    def shape(self) -> tuple[int, int, int]:
        """Battles, rounds and seats."""
        battles, rounds, seats = self.positions.shape
        return battles, rounds, seats

    def part(self, first: int, end: int) -> Batch:
        """Returns the battles from `first` up to and without `end`, sharing the warriors."""
        return Batch(
            code=self.code,
            offsets=self.offsets,
            starts=self.starts,
            lineups=self.lineups[first:end],
            positions=self.positions[first:end],
            pspaces=self.pspaces[first:end],
        )


@dataclass(frozen=True, slots=True)
class Counts:
    """What happened, each (battles, rounds, seats); 0 in empty seats and where `Rules.counting` asks less.

    Attributes:
        alive: 1 if it was alive when the round ended.
        lifetime: whole cycles it survived. The cycle of its death does not count. One that is alive at the
            end has survived all `Rules.cycles`, also when the round ended early.
        spawned: processes it started: SPLs whose extra process fitted. At most one a cycle, and among N > 2
            warriors at most N − 1 a cycle, for a round may begin again N − 2 times (see
            `rounds.begin_again`).
        covered: distinct addresses it queued for execution; the first one counts only if it was queued again.
        written: distinct addresses it wrote, decremented or incremented.
    """

    alive: Flags
    lifetime: Cycles
    spawned: Cycles
    covered: Cells
    written: Cells

    @classmethod
    def empty(cls, shape: tuple[int, int, int]) -> Counts:
        """Returns counts of zero for (battles, rounds, seats), for an engine to fill."""
        return cls(
            alive=np.zeros(shape, np.uint8),
            lifetime=np.zeros(shape, np.int64),
            spawned=np.zeros(shape, np.int64),
            covered=np.zeros(shape, np.int32),
            written=np.zeros(shape, np.int32),
        )

    @classmethod
    def joined(cls, parts: Sequence[Counts]) -> Counts:
        """Returns the counts of all battles, in order.

        Raises:
            ValueError: there are no parts, or they differ in rounds or seats.
        """
        return cls(
            alive=np.concatenate([part.alive for part in parts]),
            lifetime=np.concatenate([part.lifetime for part in parts]),
            spawned=np.concatenate([part.spawned for part in parts]),
            covered=np.concatenate([part.covered for part in parts]),
            written=np.concatenate([part.written for part in parts]),
        )


def pack(
    warriors: Sequence[Warrior],
    lineups: Sequence[Sequence[int]],
    positions: Sequence[Sequence[Sequence[int]]],
    rules: Rules,
) -> Batch:
    """Returns the arrays for battles between `warriors`.

    Args:
        warriors: all that take part anywhere; equal code is stored once.
        lineups: for each battle the indices of its warriors, in the order of their seats.
        positions: for each battle and round the address of each warrior's first cell. All battles have
            equally many rounds.
        rules: the rules they meet under.

    Raises:
        ValueError: the shapes do not fit together, or a number is out of its range (see `check`).
    """
    distinct: dict[tuple[bytes, int], int] = {}
    indices = [distinct.setdefault((w.cells, w.start), len(distinct)) for w in warriors]
    cells = [cells for cells, _ in distinct]
    seats = max(map(len, lineups), default=0)
    batch = Batch(
        code=np.frombuffer(b"".join(cells), np.int32).reshape(-1, 6),
        offsets=np.cumsum([0, *(len(code) // CELL_BYTES for code in cells)], dtype=np.int32),
        starts=np.array([start for _, start in distinct], np.int32),
        lineups=_rows([[indices[i] for i in lineup] for lineup in lineups], seats, -1),
        positions=_positions(positions, [len(lineup) for lineup in lineups], seats),
        pspaces=_rows([_pspaces([warriors[i] for i in lineup]) for lineup in lineups], seats, -1),
    )
    check(batch, rules)
    return batch


def _rows(rows: Sequence[Sequence[int]], width: int, filler: int) -> Cells:
    """Returns the rows as one array, filled up on the right."""
    array = np.full((len(rows), width), filler, np.int32)
    for i, row in enumerate(rows):
        array[i, : len(row)] = row
    return array


def _positions(positions: Sequence[Sequence[Sequence[int]]], seats: Sequence[int], width: int) -> Cells:
    """Returns the positions as (battles, rounds, width)."""
    if len(positions) != len(seats):
        raise ValueError(f"{len(seats)} line-ups need as many lists of positions; got {len(positions)}")
    rounds = len(positions[0]) if positions else 0
    array = np.zeros((len(positions), rounds, width), np.int32)
    for battle, (expected, given) in enumerate(zip(seats, positions, strict=True)):
        if len(given) != rounds or any(len(row) != expected for row in given):
            raise ValueError(f"battle {battle} needs {rounds} rounds of {expected} positions")
        if expected:
            array[battle, :, :expected] = given
    return array


def _pspaces(warriors: Sequence[Warrior]) -> list[int]:
    """Returns the number of each one's P-space: warriors with the same PIN share one."""
    numbers: dict[tuple[str, int], int] = {}
    keys = [("own", i) if w.pin is None else ("pin", w.pin) for i, w in enumerate(warriors)]
    return [numbers.setdefault(key, len(numbers)) for key in keys]


def check(batch: Batch, rules: Rules) -> None:
    """Refuses arrays on which an engine could go astray; engines index without looking again.

    Raises:
        ValueError: a shape or a number is impossible; the message names it.
    """
    _check_layout(batch)
    battles, _, seats = batch.shape
    lengths = np.diff(batch.offsets)
    used = batch.lineups >= 0
    limits = (rules.read_limit, rules.write_limit)
    facts = (
        (1 <= rules.core_size <= LARGEST_CORE, f"the core size must lie in 1..{LARGEST_CORE}"),
        (1 <= rules.processes <= LARGEST_CORE, f"the limit of processes must lie in 1..{LARGEST_CORE}"),
        (1 <= rules.cycles <= 1 << 31, "the cycles must lie in 1..2^31"),
        (1 <= rules.pspace <= rules.core_size, "a P-space has 1..core size cells"),
        (all(1 <= limit <= rules.core_size for limit in limits), "limits must lie in 1..core size"),
        (all(rules.core_size % limit == 0 for limit in limits), "limits must divide the core size"),
        (seats <= MOST_SEATS, f"a battle has at most {MOST_SEATS} warriors"),
        (
            batch.lineups.shape == (battles, seats) == batch.pspaces.shape,
            "line-ups and P-spaces must be (battles, seats)",
        ),
        (batch.starts.size == lengths.size, "starts must fit the offsets"),
        (batch.offsets[0] == 0 and batch.offsets[-1] == len(batch.code), "offsets must span the code"),
        (_within(lengths, 1, rules.core_size + 1), "a warrior has at least one cell and fits the core"),
        (_within(batch.starts, 0, lengths), "a start must lie within its warrior"),
        (
            _within(batch.code[:, [3, 5]], 0, rules.core_size),
            "numbers of instructions must lie in 0..core size − 1",
        ),
        (_within(batch.code[:, 0], 0, len(Opcode)), "unknown opcode"),
        (_within(batch.code[:, 1], 0, len(Modifier)), "unknown modifier"),
        (_within(batch.code[:, [2, 4]], 0, len(Mode)), "unknown mode"),
        (_within(batch.lineups, -1, batch.starts.size), "a line-up names a warrior that is not there"),
        (not (used[:, 1:] & ~used[:, :-1]).any(), "empty seats come last"),
        (not seats or bool(used[:, 0].all()), "a battle needs a warrior"),
        (_within(batch.pspaces[used], 0, seats), "a P-space's number must lie in 0..seats − 1"),
        (_within(batch.positions, 0, rules.core_size), "positions must lie in 0..core size − 1"),
    )
    for holds, message in facts:
        if not holds:
            raise ValueError(message)


def _check_layout(batch: Batch) -> None:
    """Refuses arrays of other types or dimensions."""
    layout = (
        ("code", batch.code, 2),
        ("offsets", batch.offsets, 1),
        ("starts", batch.starts, 1),
        ("lineups", batch.lineups, 2),
        ("positions", batch.positions, 3),
        ("pspaces", batch.pspaces, 2),
    )
    for name, array, dimensions in layout:
        if array.dtype != np.int32 or array.ndim != dimensions:
            raise ValueError(f"{name} must be int32 with {dimensions} dimensions")
    if batch.code.shape[1] != 6 or batch.offsets.size == 0:
        raise ValueError("code must be (cells, 6), and offsets not empty")


def _within(array: Cells, least: int, end: int | Cells) -> bool:
    """Whether every number lies in [least, end)."""
    return bool(((array >= least) & (array < end)).all())
