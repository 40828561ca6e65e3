from collections import deque
from itertools import product

import pytest

from speciate.problems.corewar.instructions import EMPTY, Instruction, Mode, Modifier, Opcode
from speciate.problems.corewar.mars.generate import fused_handlers, handler_numbers, kind, other_handlers
from speciate.problems.corewar.mars.reference import Contestant, Machine, step
from speciate.problems.corewar.mars.semantics import MODES, OPCODES, PAIRS, meaning, pairs

SIZE = 20


def cell(text: str) -> Instruction:
    name, operands = text.split()
    opcode, modifier = name.split(".")
    (a_mode, a), (b_mode, b) = ((Mode("#$*@{<}>".index(o[0])), int(o[1:])) for o in operands.split(","))
    return Instruction(Opcode[opcode], Modifier[modifier], a_mode, a % SIZE, b_mode, b % SIZE)


def run(*cells: str, processes: int = 8) -> tuple[Machine, Contestant]:
    """Executes one instruction, at address 0."""
    machine = Machine.empty(SIZE, processes)
    machine.core[: len(cells)] = [cell(text) for text in cells]
    warrior = Contestant(deque([0]), [0] * 5, 0)
    step(machine, warrior)
    return machine, warrior


def test_every_opcode_modifier_and_mode_has_a_rule() -> None:
    assert set(OPCODES) == set(Opcode)
    assert set(PAIRS) == set(Modifier)
    assert set(MODES) == set(Mode)


@pytest.mark.parametrize("opcode", [Opcode.JMP, Opcode.SPL, Opcode.NOP, Opcode.DAT])
def test_some_opcodes_ignore_the_modifier(opcode: Opcode) -> None:
    assert {meaning(opcode, modifier) for modifier in Modifier} == {meaning(opcode, Modifier.A)}


def test_cmp_and_seq_mean_the_same_and_are_different_cells() -> None:
    assert all(meaning(Opcode.CMP, m) == meaning(Opcode.SEQ, m) for m in Modifier)
    _, warrior = run("SEQ.I $1,$2", "CMP.F $0,$0", "SEQ.F $0,$0")
    assert list(warrior.queue) == [1]


def test_arithmetic_on_whole_cells_is_on_both_fields() -> None:
    assert meaning(Opcode.ADD, Modifier.I) == meaning(Opcode.ADD, Modifier.F)


@pytest.mark.parametrize("modifier", [Modifier.F, Modifier.X, Modifier.I])
def test_pspace_is_reached_through_one_pair(modifier: Modifier) -> None:
    assert pairs(Opcode.LDP, modifier) == PAIRS[Modifier.B] == pairs(Opcode.STP, modifier)


def test_a_is_read_before_b_changes_it() -> None:
    machine, _ = run("MOV.I $1,<1", "DAT.F $0,$5")
    assert machine.core[5] == cell("DAT.F $0,$5")
    assert machine.core[1] == cell("DAT.F $0,$4")


def test_a_value_is_read_before_its_increment() -> None:
    machine, _ = run("MOV.B >1,$2", "DAT.F $0,$0", "DAT.F $0,$9")
    assert machine.core[2].b == 0
    assert machine.core[1].b == 1


def test_an_immediate_b_operand_sees_what_a_did() -> None:
    machine, _ = run("ADD.B {0,#3")
    assert machine.core[0].a == SIZE - 1
    assert machine.core[0].b == 3 + 0


def test_djn_lowers_memory_and_tests_what_it_read() -> None:
    machine, warrior = run("DJN.F $5,$1", "DAT.F $1,$2")
    assert machine.core[1] == cell("DAT.F $0,$1")
    assert list(warrior.queue) == [5]


def test_a_division_by_zero_writes_the_other_half_and_dies() -> None:
    machine, warrior = run("DIV.F $1,$2", "DAT.F $0,$3", "DAT.F $7,$9")
    assert machine.core[2] == cell("DAT.F $7,$3")
    assert not warrior.queue


def test_spl_queues_the_next_cell_first_and_stops_at_the_limit() -> None:
    assert list(run("SPL.B $7,$0")[1].queue) == [1, 7]
    _, alone = run("SPL.B $7,$0", processes=1)
    assert list(alone.queue) == [1]
    assert alone.spawned == 0


def test_reads_and_writes_are_folded_into_their_limits() -> None:
    machine = Machine(SIZE, 8, 10, 4, [EMPTY] * SIZE)
    assert [machine.fold(d, 10) for d in (5, 6, 12)] == [5, SIZE - 4, 2]
    machine.core[0], machine.core[6 - 10] = cell("MOV.I $6,$3"), cell("DAT.F $1,$1")
    step(machine, Contestant(deque([0]), [0], 0))
    assert machine.core[3 - 4] == cell("DAT.F $1,$1")


def test_every_kind_has_a_handler_of_its_meaning() -> None:
    fused = fused_handlers()
    numbers = handler_numbers(fused)
    assert {h.meaning for h in other_handlers()} == {meaning(o, m) for o, m in product(Opcode, Modifier)}
    for opcode, modifier, a, b in product(Opcode, Modifier, Mode, Mode):
        number = numbers[kind(opcode, modifier, a, b)]
        if number < len(fused):
            assert fused[number].meaning == meaning(opcode, modifier)


def test_where_crowds_die_most_no_handler_is_shared() -> None:
    fused = fused_handlers()
    numbers = handler_numbers(fused)
    every = product(Modifier, Mode, Mode)
    assert all(numbers[kind(Opcode.DAT, modifier, a, b)] < len(fused) for modifier, a, b in every)
