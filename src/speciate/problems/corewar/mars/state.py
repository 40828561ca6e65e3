"""Between arrays and the machine: building `machine.Machine` and its companions from batches and rules."""

from __future__ import annotations

from typing import cast

import numpy as np
from numpy.typing import DTypeLike

from speciate.problems.corewar.instructions import Instruction, Mode, Modifier, Opcode
from speciate.problems.corewar.mars.batch import Batch, Cells, Counts, Rules
from speciate.problems.corewar.mars.machine import (
    A_SHIFT,
    COVERED,
    CROSSED,
    FIELD,
    FULL,
    MASKS,
    VERDICT,
    Fights,
    Law,
    Machine,
    Numbers,
    Tally,
)

_COUNTING = {"verdict": VERDICT, "covered": COVERED, "full": FULL}


def law(rules: Rules, *, counting: int | None = None) -> Law:
    """Returns the rules as numbers; `counting` overrides what they count."""
    return Law(
        size=rules.core_size,
        cycles=rules.cycles,
        processes=rules.processes,
        pspace=rules.pspace,
        read_limit=rules.read_limit,
        write_limit=rules.write_limit,
        limited=int(min(rules.read_limit, rules.write_limit) < rules.core_size),
        rotate=int(rules.rotate),
        one_left=int(rules.stop != "never"),
        stop_early=int(rules.stop == "verdict"),
        counting=_COUNTING[rules.counting] if counting is None else counting,
    )


def machine(law: Law, seats: int, *, plain: bool) -> Machine:
    """Returns a machine for battles of up to `seats` warriors; of lists if `plain`, else of arrays."""

    def zeros(size: int, dtype: DTypeLike = np.int64) -> Numbers:
        return [0] * size if plain else cast(Numbers, np.zeros(size, dtype))

    return Machine(
        core=zeros(law.size),
        queues=zeros(seats * law.processes, np.int32),
        heads=zeros(seats),
        processes=zeros(seats),
        order=zeros(seats),
        clock=zeros(6),
        lifetimes=zeros(seats),
        spawned=zeros(seats),
        marks=zeros(seats * law.size if law.counting != VERDICT else 1, np.uint8),
        pspaces=zeros(seats),
        results=zeros(seats),
        pspace=zeros(seats * law.pspace, np.int32),
        masks=MASKS if plain else cast(Numbers, np.array(MASKS)),
        crossed=CROSSED if plain else cast(Numbers, np.array(CROSSED)),
    )


def _numbers(array: Cells, plain: bool) -> Numbers:
    """Returns a flat copy. For numba read-only arrays would be a type of their own, to be compiled anew."""
    return array.ravel().tolist() if plain else cast(Numbers, np.array(array).ravel())


def cells(code: Cells) -> Cells:
    """Returns instructions (cells, 6) as whole cells (cells,)."""
    opcode, modifier, a_mode, a, b_mode, b = code.astype(np.int64).T
    return np.asarray(opcode << 41 | modifier << 38 | a_mode << 35 | b_mode << 32 | a << A_SHIFT | b)


def instruction(cell: int) -> Instruction:
    """Returns the instruction that a cell holds."""
    return Instruction(
        opcode=Opcode(cell >> 41),
        modifier=Modifier(cell >> 38 & 7),
        a_mode=Mode(cell >> 35 & 7),
        a=cell >> A_SHIFT & FIELD,
        b_mode=Mode(cell >> 32 & 7),
        b=cell & FIELD,
    )


def fights(batch: Batch, *, plain: bool) -> Fights:
    """Returns the batch, flat."""
    _, rounds, seats = batch.shape
    return Fights(
        code=_numbers(cells(batch.code), plain),
        offsets=_numbers(batch.offsets, plain),
        starts=_numbers(batch.starts, plain),
        lineups=_numbers(batch.lineups, plain),
        positions=_numbers(batch.positions, plain),
        pspaces=_numbers(batch.pspaces, plain),
        rounds=rounds,
        seats=seats,
    )


def tally(counts: Counts) -> Tally:
    """Returns views of the counts, flat: what an engine writes there appears in `counts`."""
    arrays = (counts.alive, counts.lifetime, counts.spawned, counts.covered, counts.written)
    return Tally(*(cast(Numbers, array.reshape(-1)) for array in arrays))
