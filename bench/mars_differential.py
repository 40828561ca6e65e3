"""Whether the simulators agree, at length: the C engines with the table of semantics, and with the kernel.

    python -m bench mars_differential [--quick]

Two million random instructions in small random cores, executed by the C engines and by the interpreter of the
table, core and queues compared; 20,000 random battles of 1 to 8 warriors, fought by the C engines and by the
kernel (numba's if it is there), all counts compared. A difference ends the bench.
"""

from __future__ import annotations

import time
from dataclasses import fields
from typing import Final

import numpy as np
from bench.report import Report, Row

from speciate.problems.corewar.mars import engines, native
from speciate.problems.corewar.mars.batch import Counts
from speciate.testing.mars import random_battle, random_core, reference_after

SEED: Final = 3_000


def compare_instructions(wanted: int) -> tuple[int, int]:
    """Returns how many instructions were executed and how many cores compared."""
    rng, executed, cores = np.random.default_rng(SEED), 0, 0
    while executed < wanted:
        batch, rules = random_core(rng)
        expected = reference_after(batch, rules, int(rng.integers(1, 12)))
        dispatch: native.Dispatch = "jumps" if cores % 2 else "switch"
        pairs = bool(cores // 2 % 2)
        core, _, queues = native.core_after(batch, rules, expected.executed, pairs=pairs, dispatch=dispatch)
        if core != expected.core or queues != expected.queues:
            raise AssertionError(f"core {cores}: {dispatch} and the table differ: {batch} {rules}")
        executed, cores = executed + expected.executed, cores + 1
    return executed, cores


def compare_battles(wanted: int) -> int:
    """Returns how many battles were compared."""
    rng = np.random.default_rng(SEED + 1)
    kernel = engines.load("numba" if "numba" in engines.available() else "python")
    for number in range(wanted):
        batch, rules = random_battle(rng)
        expected = kernel.fight(batch, rules, 1)
        for dispatch in ("jumps", "switch"):
            found = native.fight(batch, rules, dispatch=dispatch)
            for name in (field.name for field in fields(Counts)):
                if not np.array_equal(getattr(found, name), getattr(expected, name)):
                    raise AssertionError(f"battle {number}: {name} differs ({dispatch}): {batch} {rules}")
    return wanted


def run(*, quick: bool = False) -> Report:
    """Compares; `quick` a fiftieth of it."""
    begun = time.process_time()
    share = 50 if quick else 1
    executed, cores = compare_instructions(2_000_000 // share)
    battles = compare_battles(20_000 // share)
    rows = [
        Row("random instructions, C = table", executed, "", "no difference", True, f"{cores} cores"),
        Row("random battles, C = kernel", battles, "", "no difference", True, "both dispatches, every count"),
        Row("CPU time", time.process_time() - begun, "s"),
    ]
    return Report("mars_differential", __doc__ or "", rows)
