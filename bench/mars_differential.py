"""Whether the simulators agree, at length: the C engines with the table of semantics and with the kernel.

    python -m bench mars_differential [--quick]

Two million pairs of random instructions, one executed after the other in small random cores by the C
engines and by the interpreter of the table, core and queues compared; 20,000 random battles of 1 to 8
warriors, fought by the C engines and by the kernel (numba's if it is there), all counts compared. One
difference ends it.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, fields
from typing import Final

import numpy as np
from bench.report import Report, Row

from speciate.problems.corewar.mars import engines, native
from speciate.problems.corewar.mars.batch import Counts
from speciate.testing.mars import played_out, random_battle, random_core, reference_after

SEED: Final = 3_000


@dataclass(frozen=True, slots=True)
class Executed:
    """What was executed and compared.

    Attributes:
        pairs: instructions that followed another one in the same core.
        instructions: how many in all.
        cores: in how many cores.
    """

    pairs: int
    instructions: int
    cores: int


def compare_instructions(pairs_wanted: int) -> Executed:
    """Returns how much was executed and compared.

    Raises:
        AssertionError: an engine leaves another core or another queue than the table.
    """
    rng, executed, cores = np.random.default_rng(SEED), 0, 0
    while executed - cores < pairs_wanted:
        batch, rules = random_core(rng)
        expected = reference_after(batch, rules, int(rng.integers(2, 13)))
        dispatch: native.Dispatch = "jumps" if cores % 2 else "switch"
        pairs = bool(cores // 2 % 2)
        core, _, queues = native.core_after(batch, rules, expected.executed, pairs=pairs, dispatch=dispatch)
        if core != expected.core or queues != expected.queues:
            raise AssertionError(f"core {cores}: {dispatch} and the table differ: {batch} {rules}")
        executed, cores = executed + expected.executed, cores + 1
    return Executed(executed - cores, executed, cores)


def compare_battles(wanted: int) -> int:
    """Returns how many battles were compared.

    Raises:
        AssertionError: an engine counts something else than the kernel.
    """
    rng = np.random.default_rng(SEED + 1)
    kernel = engines.load("numba" if "numba" in engines.available() else "python")
    for number in range(wanted):
        batch, rules = random_battle(rng)
        expected = kernel.fight(batch, played_out(rules), 1)
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
    executed = compare_instructions(2_000_000 // share)
    battles = compare_battles(20_000 // share)
    note = f"{executed.instructions} instructions in {executed.cores} cores"
    rows = [
        Row("pairs of random instructions, C = table", executed.pairs, "", "no difference", True, note),
        Row("random battles, C = kernel", battles, "", "no difference", True, "both dispatches, every count"),
        Row("CPU time", time.process_time() - begun, "s"),
    ]
    about = f"random code, the C engines against the table of semantics and the kernel; {native.status()}"
    return Report("mars_differential", about, rows)
