"""A few battles whose outcome is known, which an engine must reproduce before it is trusted."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from typing import Final

import numpy as np

from speciate.problems.corewar.instructions import Mode, Modifier, Opcode
from speciate.problems.corewar.mars.batch import Batch, Cells, Counts, Rules

EXPECTED: Final = "8ef9c54232c3b284a53ef511b421c37ab5e794a4c62e52cc942ba23e8deff5d5"
"""Digest of the counts, as the kernel in Python finds them (a test compares)."""

_SIZE: Final = 800
_LENGTH: Final = 40
_WARRIORS: Final = 12


def digest(fight: Callable[[Batch, Rules], Counts]) -> str:
    """Returns a digest of all that an engine counts in the battles of this file, in a few milliseconds."""
    found = hashlib.sha256()
    for batch, rules in _battles():
        counts = fight(batch, rules)
        for array in (counts.alive, counts.lifetime, counts.spawned, counts.covered, counts.written):
            found.update(array.astype("<i8").tobytes())
    return found.hexdigest()


def _battles() -> Iterator[tuple[Batch, Rules]]:
    """Yields random code in pairs and in a crowd, with limits and without, and one long battle."""
    code = _random_code(_WARRIORS * _LENGTH)
    pairs = [[i, (5 * i + 1) % _WARRIORS] for i in range(_WARRIORS)]
    yield _batch(code, pairs, rounds=4), _rules(stop="verdict")
    yield _batch(code, pairs, rounds=2), _rules(stop="never", counting="full", rotate=False)
    yield _batch(code, [list(range(_WARRIORS))], rounds=4), _rules(counting="full")
    yield (
        _batch(code, [list(range(6))], rounds=2),
        _rules(counting="covered", read_limit=200, write_limit=100),
    )
    imp = np.array([[Opcode.MOV, Modifier.I, Mode.DIRECT, 0, Mode.DIRECT, 1]], np.int32)
    split = np.array([[Opcode.SPL, Modifier.B, Mode.DIRECT, 0, Mode.DIRECT, 0]], np.int32)
    jump = np.array([[Opcode.JMP, Modifier.B, Mode.DIRECT, _SIZE - 1, Mode.DIRECT, 0]], np.int32)
    walkers = np.concatenate([imp, split, jump, imp])
    yield _batch(walkers, [[0, 1]], rounds=1, offsets=[0, 1, 4]), _rules(counting="covered", cycles=80_000)


def _rules(
    *,
    stop: str = "one_left",
    counting: str = "verdict",
    rotate: bool = True,
    cycles: int = 2000,
    read_limit: int = _SIZE,
    write_limit: int = _SIZE,
) -> Rules:
    return Rules(
        core_size=_SIZE,
        cycles=cycles,
        processes=50,
        pspace=50,
        read_limit=read_limit,
        write_limit=write_limit,
        rotate=rotate,
        stop=stop,  # type: ignore[arg-type]  # one of the literals
        counting=counting,  # type: ignore[arg-type]
    )


def _batch(code: Cells, lineups: list[list[int]], *, rounds: int, offsets: list[int] | None = None) -> Batch:
    """Returns battles of these line-ups, every warrior at a place of its own."""
    ends = np.array(offsets or range(0, len(code) + 1, _LENGTH), np.int32)
    shape = (len(lineups), rounds, len(lineups[0]))
    battle, number, seat = np.indices(shape)
    places = (seat * (_SIZE // shape[2]) + (7 * battle + 11 * number) % 17).astype(np.int32)
    return Batch(
        code=code,
        offsets=ends,
        starts=np.zeros(ends.size - 1, np.int32),
        lineups=np.array(lineups, np.int32),
        positions=places,
        pspaces=np.tile(np.arange(shape[2], dtype=np.int32) // 2, (shape[0], 1)),
    )


def _random_code(cells: int) -> Cells:
    """Returns cells drawn by a generator of its own, the same for ever: Lehmer's, with Park's multiplier."""
    ranges = (len(Opcode), len(Modifier), len(Mode), _SIZE, len(Mode), _SIZE)
    state, code = 1, np.zeros((cells, 6), np.int32)
    for cell in range(cells):
        for column, end in enumerate(ranges):
            state = state * 48_271 % 2_147_483_647
            code[cell, column] = state % end if end < _SIZE else (state % 31 - 15) % _SIZE
        if code[cell, 0] == Opcode.DAT and cell % 4:
            code[cell, 0] = Opcode.MOV
    return code
