"""The table of `semantics`, interpreted step by step: far too slow to battle, easy to check by reading.

It shares no code with the engines and gives the tests an opinion of its own.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Final

from speciate.problems.corewar.instructions import EMPTY, Instruction
from speciate.problems.corewar.mars.semantics import (
    MODES,
    Action,
    Field,
    Meaning,
    Pair,
    meaning,
)


@dataclass
class Contestant:
    """A warrior in a machine.

    Attributes:
        queue: addresses of its processes, the next one first.
        pspace: its P-space; cell 0 is in `result` instead. Warriors may share the list.
        result: P-space cell 0.
        spawned: processes it started.
        covered: addresses it queued while it ran.
        written: addresses it wrote.
    """

    queue: deque[int]
    pspace: list[int]
    result: int
    spawned: int = 0
    covered: set[int] = field(default_factory=set)
    written: set[int] = field(default_factory=set)


@dataclass
class Machine:
    """A core and the limits that its instructions obey.

    Attributes:
        size: cells of the core.
        processes: most processes of a warrior.
        read_limit: how far an instruction reads; `size` is no limit.
        write_limit: how far an instruction writes; `size` is no limit.
        core: the cells.
    """

    size: int
    processes: int
    read_limit: int
    write_limit: int
    core: list[Instruction]

    @classmethod
    def empty(cls, size: int, processes: int, read_limit: int = 0, write_limit: int = 0) -> Machine:
        """Returns a machine whose core is empty; a limit of 0 is no limit."""
        return cls(size, processes, read_limit or size, write_limit or size, [EMPTY] * size)

    def fold(self, distance: int, limit: int) -> int:
        """Returns the distance an instruction reaches under a limit, in [0, size)."""
        distance %= limit
        return (distance - limit if distance > limit // 2 else distance) % self.size


@dataclass(frozen=True, slots=True)
class Operand:
    """An evaluated operand: where it reads, where it would write, and what it read."""

    read: int
    write: int
    cell: Instruction


def step(machine: Machine, warrior: Contestant) -> None:
    """Executes the next process of a living warrior."""
    pc = warrior.queue.popleft()
    instruction = machine.core[pc]
    a = _operand(machine, warrior, pc, instruction, Field.A)
    b = _operand(machine, warrior, pc, instruction, Field.B)
    what = meaning(instruction.opcode, instruction.modifier)
    _write(machine, warrior, what, a, b)
    after = (pc + 1) % machine.size
    for nth, address in enumerate(_next(what, after, a, b, machine.size)):
        if len(warrior.queue) < machine.processes:
            warrior.queue.append(address)
            warrior.covered.add(address)
            warrior.spawned += nth


def _operand(machine: Machine, warrior: Contestant, pc: int, register: Instruction, which: Field) -> Operand:
    """Evaluates one operand of the instruction at `pc`, with its side effects."""
    mode, number = (register.a_mode, register.a) if which is Field.A else (register.b_mode, register.b)
    rule = MODES[mode]
    if rule.immediate:
        return Operand(pc, pc, register if which is Field.A else machine.core[pc])
    read = machine.fold(number, machine.read_limit)
    write = machine.fold(number, machine.write_limit)
    pointer = (pc + write) % machine.size
    if rule.pointer is not None:
        if rule.step < 0:
            _add(machine, warrior, pointer, rule.pointer, -1)
        read_by = _get(machine.core[(pc + read) % machine.size], rule.pointer)
        write_by = _get(machine.core[pointer], rule.pointer)
        read = machine.fold(read + read_by, machine.read_limit)
        write = machine.fold(write + write_by, machine.write_limit)
    found = machine.core[(pc + read) % machine.size]
    if rule.pointer is not None and rule.step > 0:
        _add(machine, warrior, pointer, rule.pointer, 1)
    return Operand((pc + read) % machine.size, (pc + write) % machine.size, found)


def _write(machine: Machine, warrior: Contestant, what: Meaning, a: Operand, b: Operand) -> None:
    """Does what the instruction does to core and P-space."""
    action = what.rule.action
    for pair in what.pairs:
        source, target = _get(a.cell, pair.source), _get(b.cell, pair.target)
        if action is Action.WRITE or (action is Action.DIVIDE and source):
            _set(
                machine, warrior, b.write, pair.target, _value(what, pair, a, b, machine.size) % machine.size
            )
        elif action is Action.DECREMENT_JUMP_IF:
            _add(machine, warrior, b.write, pair.target, -1)
        elif action is Action.LOAD:
            index = source % len(warrior.pspace)
            _set(machine, warrior, b.write, pair.target, warrior.pspace[index] if index else warrior.result)
        elif action is Action.STORE:
            index = target % len(warrior.pspace)
            if index:
                warrior.pspace[index] = source
            else:
                warrior.result = source
    if action is Action.WRITE and what.whole:
        machine.core[b.write] = a.cell


def _next(what: Meaning, after: int, a: Operand, b: Operand, size: int) -> tuple[int, ...]:
    """Returns the addresses to queue, in order."""
    match what.rule.action:
        case Action.DIE:
            return ()
        case Action.DIVIDE:
            return () if any(_get(a.cell, pair.source) == 0 for pair in what.pairs) else (after,)
        case Action.JUMP:
            return (a.read,)
        case Action.SPLIT:
            return (after, a.read)
        case Action.JUMP_IF | Action.DECREMENT_JUMP_IF:
            return (a.read if _holds(what, a, b, size) else after,)
        case Action.SKIP_IF:
            return ((after + 1) % size if _holds(what, a, b, size) else after,)
        case _:
            return (after,)


_ALL: Final = {True: all, False: any}


def _holds(what: Meaning, a: Operand, b: Operand, size: int) -> bool:
    """Whether the condition of the instruction holds."""
    verdicts = [bool(_value(what, pair, a, b, size)) for pair in what.pairs]
    if what.whole:
        verdicts.append((_kind(a.cell) == _kind(b.cell)) == what.rule.every)
    return _ALL[what.rule.every](verdicts)


def _kind(cell: Instruction) -> Instruction:
    """Returns the cell without its numbers."""
    return replace(cell, a=0, b=0)


def _value(what: Meaning, pair: Pair, a: Operand, b: Operand, size: int) -> int:
    """Returns what the formula says of a pair."""
    return _formula(what.rule.formula)(_get(a.cell, pair.source), _get(b.cell, pair.target), size)


@cache
def _formula(formula: str) -> Callable[[int, int, int], int]:
    """Returns a formula of the table as a function of ``a``, ``b`` and ``size``."""
    function: Callable[[int, int, int], int] = eval(
        f"lambda a, b, size: {formula}"
    )  # only ever a formula of our own table
    return function


def _get(cell: Instruction, which: Field) -> int:
    return cell.a if which is Field.A else cell.b


def _set(machine: Machine, warrior: Contestant, address: int, which: Field, value: int) -> None:
    old = machine.core[address]
    machine.core[address] = replace(old, a=value) if which is Field.A else replace(old, b=value)
    warrior.written.add(address)


def _add(machine: Machine, warrior: Contestant, address: int, which: Field, value: int) -> None:
    """Changes a field of a cell by `value`."""
    _set(machine, warrior, address, which, (_get(machine.core[address], which) + value) % machine.size)
