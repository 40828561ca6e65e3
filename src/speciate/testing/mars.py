"""Random battles for simulators, and what the table of semantics says of them.

An engine is right if it counts what the others count, and leaves the core that `reference_after` leaves.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from speciate.problems.corewar.instructions import Instruction, Mode, Modifier, Opcode
from speciate.problems.corewar.mars.batch import Batch, Cells, Counting, Rules, Stop
from speciate.problems.corewar.mars.reference import Contestant, Machine, step

_SIZES: Final = (1, 2, 3, 5, 8, 12, 16, 17, 30, 64)
_STOPS: Final[tuple[Stop, ...]] = ("one_left", "never", "verdict")
_COUNTINGS: Final[tuple[Counting, ...]] = ("verdict", "covered", "full")


def random_code(rng: np.random.Generator, cells: int, core_size: int) -> Cells:
    """Returns (cells, 6) of any instructions, numbers and modes; small numbers are frequent."""
    ends = (len(Opcode), len(Modifier), len(Mode), core_size, len(Mode), core_size)
    code = np.stack([rng.integers(0, end, cells) for end in ends], axis=1)
    for column in (3, 5):
        small = rng.random(cells) < 0.5
        code[small, column] = rng.integers(-4, 5, int(small.sum())) % core_size
    return code.astype(np.int32)


def _divisor(rng: np.random.Generator, size: int) -> int:
    """Returns the size, or now and then one of its divisors."""
    divisors = [part for part in range(1, size + 1) if size % part == 0]
    return size if rng.random() < 0.7 else int(rng.choice(divisors))


def random_battle(rng: np.random.Generator, *, core_size: int | None = None) -> tuple[Batch, Rules]:
    """Returns a battle of one to eight warriors, often in a small core under small limits."""
    size = core_size or int(rng.choice((*_SIZES, 100, 400)))
    seats, rounds = int(rng.integers(1, 9)), int(rng.integers(1, 4))
    lengths = rng.integers(1, min(size, 20) + 1, seats)
    stop = _STOPS[rng.integers(3)]
    rules = Rules(
        core_size=size,
        cycles=int(rng.choice((1, 7, 100, 1500))),
        processes=int(rng.choice((1, 2, 8, 100))),
        pspace=int(rng.integers(1, size + 1)),
        read_limit=_divisor(rng, size),
        write_limit=_divisor(rng, size),
        rotate=bool(rng.integers(2)),
        stop=stop,
        counting="verdict" if stop == "verdict" else _COUNTINGS[rng.integers(3)],
    )
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    batch = Batch(
        code=random_code(rng, int(offsets[-1]), size),
        offsets=offsets,
        starts=rng.integers(0, lengths).astype(np.int32),
        lineups=np.arange(seats, dtype=np.int32).reshape(1, -1),
        positions=rng.integers(0, size, (1, rounds, seats)).astype(np.int32),
        pspaces=rng.integers(0, seats, (1, seats)).astype(np.int32),
    )
    return batch, rules


def played_out(rules: Rules) -> Rules:
    """Returns rules under which nothing is cut short that the given ones may cut short.

    The counts must be the same: `stop="verdict"` ends a round only when they are certain.
    """
    return replace(rules, stop="one_left") if rules.stop == "verdict" else rules


def random_core(rng: np.random.Generator) -> tuple[Batch, Rules]:
    """Returns two warriors, the first of which fills a small core; for a few instructions of any kind."""
    size = int(rng.choice(_SIZES))
    rules = Rules(
        core_size=size,
        cycles=1000,
        processes=int(rng.integers(1, 5)),
        pspace=int(rng.integers(1, size + 1)),
        read_limit=_divisor(rng, size),
        write_limit=_divisor(rng, size),
        rotate=False,
    )
    batch = Batch(
        code=random_code(rng, size + 1, size),
        offsets=np.array([0, size, size + 1], np.int32),
        starts=np.array([rng.integers(size), 0], np.int32),
        lineups=np.array([[0, 1]], np.int32),
        positions=np.array([[[0, rng.integers(size)]]], np.int32),
        pspaces=np.array([[0, rng.integers(2)]], np.int32),
    )
    return batch, rules


@dataclass(frozen=True, slots=True)
class After:
    """The state of a battle.

    Attributes:
        core: all cells.
        seat: who is next.
        queues: for each seat the addresses of its processes, the next one first.
        executed: how many instructions led here.
    """

    core: tuple[Instruction, ...]
    seat: int
    queues: tuple[tuple[int, ...], ...]
    executed: int


def reference_after(batch: Batch, rules: Rules, instructions: int) -> After:
    """Returns the state of the first battle's first round after some instructions, worked out by the table.

    It ends before if one warrior of several is left.
    """
    machine = Machine.empty(rules.core_size, rules.processes, rules.read_limit, rules.write_limit)
    cells = [_instruction(row) for row in batch.code.tolist()]
    contestants: list[Contestant] = []
    spaces: dict[int, list[int]] = {}
    for seat, warrior in enumerate(batch.lineups[0].tolist()):
        position = int(batch.positions[0, 0, seat])
        own = cells[batch.offsets[warrior] : batch.offsets[warrior + 1]]
        for i, cell in enumerate(own):
            machine.core[(position + i) % machine.size] = cell
        start = (position + int(batch.starts[warrior])) % machine.size
        space = spaces.setdefault(int(batch.pspaces[0, seat]), [0] * rules.pspace)
        contestants.append(Contestant(deque([start]), space, machine.size - 1))
    alive, executed = deque(range(len(contestants))), 0
    while alive and executed < instructions and (len(alive) > 1 or len(contestants) == 1):
        seat = alive.popleft()
        step(machine, contestants[seat])
        executed += 1
        if contestants[seat].queue:
            alive.append(seat)
    queues = tuple(tuple(contestant.queue) for contestant in contestants)
    return After(tuple(machine.core), alive[0] if alive else -1, queues, executed)


def _instruction(row: list[int]) -> Instruction:
    opcode, modifier, a_mode, a, b_mode, b = row
    return Instruction(Opcode(opcode), Modifier(modifier), Mode(a_mode), a, Mode(b_mode), b)
