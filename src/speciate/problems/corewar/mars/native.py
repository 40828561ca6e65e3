"""The C engines, tested before they are trusted: importing this fails where they are missing or wrong."""

from __future__ import annotations

from functools import partial
from typing import Final, Literal

import numpy as np

from speciate.problems.corewar.instructions import Instruction, Mode, Modifier, Opcode
from speciate.problems.corewar.mars import _mars, selftest
from speciate.problems.corewar.mars.batch import Batch, Counts, Rules

Dispatch = Literal["jumps", "switch"]
"""How an engine gets from handler to handler: GNU C's labels as values, or a switch in standard C."""


def fight(batch: Batch, rules: Rules, threads: int = 1, *, dispatch: Dispatch | None = None) -> Counts:
    """Fights a batch in C, without the GIL, on `threads` threads; signals are answered every 50 ms.

    Args:
        batch: the battles. The extension checks them again and never reads outside.
        rules: the rules they share.
        threads: how many battles are fought at once, 1 to 256.
        dispatch: which engines; None takes the fastest that passed its test.

    Raises:
        ValueError: the batch is malformed.
        MemoryError: there is not enough memory for so many threads.
    """
    counts = Counts.empty(batch.shape)
    results = (counts.alive, counts.lifetime, counts.spawned, counts.covered, counts.written)
    _mars.run(*_arguments(batch, rules, dispatch or _CHOSEN), results, threads)
    return counts


def _arguments(
    batch: Batch, rules: Rules, dispatch: Dispatch
) -> tuple[tuple[int, ...], tuple[object, ...], tuple[int, ...]]:
    """Returns what the extension takes: sizes, arrays, rules."""
    battles, rounds, seats = batch.shape
    return (
        (batch.starts.size, len(batch.code), battles, rounds, seats),
        (batch.code, batch.offsets, batch.starts, batch.lineups, batch.positions, batch.pspaces),
        (
            rules.core_size,
            rules.cycles,
            rules.processes,
            rules.pspace,
            rules.read_limit,
            rules.write_limit,
            rules.rotate,
            rules.stop != "never",
            rules.stop == "verdict",
            rules.counting != "verdict",
            rules.counting == "full",
            dispatch == "jumps",
        ),
    )


def core_after(
    batch: Batch, rules: Rules, instructions: int, *, pairs: bool = False, dispatch: Dispatch | None = None
) -> tuple[tuple[Instruction, ...], int, tuple[tuple[int, ...], ...]]:
    """Returns the core after some instructions of the first battle's first round, for tests.

    Args:
        batch: the battle.
        rules: its rules.
        instructions: how many are executed, if the round is not over before.
        pairs: whether the engine for two warriors executes them, as far as they make whole cycles.
        dispatch: which engines.

    Returns:
        The cells; the seat that is next; for every seat the addresses of its processes, the next one first.
    """
    core, seat, queues = _mars.state(*_arguments(batch, rules, dispatch or _CHOSEN), instructions, pairs)
    cells = np.frombuffer(core, np.uint16).reshape(-1, 4)
    return tuple(_cell(*map(int, cell)) for cell in cells), seat, tuple(map(tuple, queues))


def _cell(a: int, b: int, kind: int, _: int) -> Instruction:
    """Returns a cell of the extension as an instruction."""
    return Instruction(Opcode(kind >> 9), Modifier(kind >> 6 & 7), Mode(kind >> 3 & 7), a, Mode(kind & 7), b)


def status() -> str:
    """Returns one clause for people: which engines fight, and how they were built."""
    facts = _mars.facts()
    how = {"jumps": "a jump from every instruction to the next", "switch": "one switch in standard C"}[
        _CHOSEN
    ]
    return f"the C extension, {how}, {facts['fused']} fused instructions, built by {facts['compiler']}"


def _choose() -> Dispatch:
    """Returns the fastest dispatch that passes the test.

    Raises:
        ImportError: none does.
    """
    built: tuple[Dispatch, ...] = ("jumps", "switch") if _mars.facts()["jumps"] else ("switch",)
    for dispatch in built:
        if selftest.digest(partial(fight, dispatch=dispatch)) == selftest.EXPECTED:
            return dispatch
    raise ImportError("the C extension is built, but does not pass its self-test")


_CHOSEN: Final[Dispatch] = _choose()
