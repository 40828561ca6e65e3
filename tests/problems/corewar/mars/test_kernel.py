"""One instruction at a time: against the table of semantics, and the rules that are easily got wrong."""

from __future__ import annotations

from collections import deque

import numpy as np
import pytest

from speciate.problems.corewar import Settings, assemble, run_state
from speciate.problems.corewar.mars import Rules, Stepper, reference
from speciate.problems.corewar.mars.trace import Event
from speciate.problems.corewar.warrior import Warrior
from speciate.testing.battles import random_rules, random_warrior


def opposite(
    warriors: list[Warrior], positions: list[int], rules: Rules
) -> tuple[reference.Machine, list[reference.Contestant]]:
    """Returns the same battle on the interpreter of the table."""
    machine = reference.Machine.empty(rules.core_size, rules.processes, rules.read_limit, rules.write_limit)
    contestants = []
    for warrior, position in zip(warriors, positions, strict=True):
        for i, instruction in enumerate(warrior.code):
            machine.core[(position + i) % rules.core_size] = instruction
        first = (position + warrior.start) % rules.core_size
        contestants.append(reference.Contestant(deque([first]), [0] * rules.pspace, rules.core_size - 1))
    return machine, contestants


def compare(event: Event, machine: reference.Machine, contestant: reference.Contestant) -> None:
    """Lets the table execute what the kernel executed, and compares what both did."""
    contestant.covered.clear()
    contestant.written.clear()
    assert contestant.queue[0] == event.at
    assert machine.core[event.at] == event.instruction
    reference.step(machine, contestant)
    assert set(event.queued) == contestant.covered
    assert set(event.written) == contestant.written
    assert event.processes == len(contestant.queue)


@pytest.mark.parametrize("seed", range(60))
def test_every_instruction_does_what_the_table_says(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rules = random_rules(rng)
    warriors = [random_warrior(rng, rules.core_size, 6) for _ in range(2)]
    warriors = [Warrior(w.code, w.start, w.core_size) for w in warriors]
    positions = [0, int(rng.integers(6, rules.core_size - 6))]
    machine, contestants = opposite(warriors, positions, rules)
    stepper = Stepper(warriors, positions, rules, traced=True)
    for event in stepper.events(200):
        compare(event, machine, contestants[event.warrior])
    state = stepper.state()
    assert state.core == tuple(machine.core)
    assert state.next_pc == [c.queue[0] if c.queue else None for c in contestants]


SMALL = Settings(core_size=80, max_length=20, min_distance=10)


def after(source: str, steps: int) -> dict[int, str]:
    """Returns the changed cells of a core in which one warrior ran at address 0."""
    return dict(run_state([assemble(source, SMALL)], SMALL, [0], steps).nonzero)


@pytest.mark.parametrize(
    ("rule", "source", "address", "cell"),
    [
        (
            "A's side effects come before B reads",
            "mov.ab {1, *1\ndat 3, 0\ndat 0, 0\ndat 8, 0",
            3,
            "DAT.F $8,$8",
        ),
        (
            "a cell is read before its own post-increment",
            "mov.ab }1, 2\ndat 0, 0\ndat 9, 9",
            2,
            "DAT.F $9,$0",
        ),
        ("an immediate B sees what A did", "add.b >0, #1", 0, "ADD.B >0,#2"),
        ("DJN tests the value that was read", "djn.b 0, <1\ndat 0, 3", 1, "DAT.F $0,$2"),
        ("DIV writes the half it can", "div.f 1, 2\ndat 0, 2\ndat 9, 9", 2, "DAT.F $9,$4"),
        ("MOD writes the half it can", "mod.x 1, 2\ndat 4, 0\ndat 9, 9", 2, "DAT.F $9,$1"),
        ("ADD.I is ADD.F", "add.i 1, 2\ndat 3, 4\nmov.a #1, @2", 2, "MOV.A #4,@6"),
        ("MUL.X crosses", "mul.x 1, 2\ndat 3, 4\ndat 5, 7", 2, "DAT.F $20,$21"),
        ("SUB wraps", "sub.ba 1, 2\ndat 0, 4\ndat 1, 1", 2, "DAT.F $77,$1"),
    ],
)
def test_rules_that_are_easily_got_wrong(rule: str, source: str, address: int, cell: str) -> None:
    assert after(source, 1)[address] == cell, rule


@pytest.mark.parametrize(
    ("rule", "source", "goes_on_at"),
    [
        ("JMN.F jumps if either is not 0", "jmn.f 9, 1\ndat 0, 1", 9),
        ("JMZ.F jumps if both are 0", "jmz.f 9, 1\ndat 0, 1", 1),
        ("DJN.F jumps if either is not 1", "djn.f 9, 1\ndat 1, 2", 9),
        ("DJN.F goes on if both were 1", "djn.f 9, 1\ndat 1, 1", 1),
        ("CMP is not SEQ for CMP.I", "seq.i 1, 2\ncmp.i 0, 0\nseq.i 0, 0", 1),
        ("SNE.F skips if either differs", "sne.f 1, 2\ndat 1, 2\ndat 1, 3", 2),
        ("SLT.X crosses", "slt.x 1, 2\ndat 1, 2\ndat 3, 2", 2),
        ("SLT.I is SLT.F", "slt.i 1, 2\nmov 1, 2\ndat 2, 3", 2),
        ("SPL goes on with the next first", "spl.b 9", 1),
        ("JMP jumps where A points", "jmp *1\ndat 9, 0", 10),
    ],
)
def test_where_a_process_goes_on(rule: str, source: str, goes_on_at: int) -> None:
    state = run_state([assemble(source, SMALL)], SMALL, [0], 1)
    assert state.next_pc == [goes_on_at], rule


def test_a_process_that_divides_by_zero_dies() -> None:
    state = run_state([assemble("div.f 1, 2\ndat 0, 2\ndat 9, 9", SMALL)], SMALL, [0], 1)
    assert state.procs == [0]
    assert state.next_pc == [None]
    assert state.next_warrior is None
