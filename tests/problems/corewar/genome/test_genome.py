from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from speciate.problems.corewar.genome.genome import Cell, Genome, cells, laid_out
from speciate.problems.corewar.instructions import Instruction, Mode, Modifier, Opcode
from speciate.problems.corewar.redcode import assemble

CORE = 8000
NEW = Instruction(Opcode.NOP, Modifier.F, Mode.DIRECT, 0, Mode.DIRECT, 0)


def genome(source: str) -> Genome:
    warrior = assemble(source)
    return Genome(warrior.code, warrior.start)


LOOP = genome("ORG 1\nDAT #0, #4\nADD.AB #4, -1\nMOV.I -2, @-2\nJMP -2")


def text(found: Genome) -> list[str]:
    return [instruction.text(CORE) for instruction in found.code]


def test_what_stays_in_its_place_stays_as_it_is() -> None:
    for mend in (True, False):
        assert laid_out(cells(LOOP), [LOOP], CORE, mend=mend) == LOOP


def test_pointers_over_an_inserted_instruction_are_mended() -> None:
    plan = cells(LOOP)
    plan.insert(2, Cell(NEW))
    mended, plain = (laid_out(plan, [LOOP], CORE, mend=mend) for mend in (True, False))
    assert text(mended) == [
        "DAT.F #0,#4",
        "ADD.AB #4,$-1",
        "NOP.F $0,$0",
        "MOV.I $-3,@-3",
        "JMP.B $-3,$0",
    ]
    assert text(plain)[3:] == ["MOV.I $-2,@-2", "JMP.B $-2,$0"]


def test_immediate_numbers_are_values_and_stay() -> None:
    counting = genome("ADD.AB #1, 1\nDAT #0, #0")
    plan = cells(counting)
    plan.insert(1, Cell(NEW))
    assert text(laid_out(plan, [counting], CORE, mend=True))[0] == "ADD.AB #1,$2"


def test_a_pointer_to_what_is_gone_keeps_its_number() -> None:
    plan = cells(LOOP)[1:]
    assert text(laid_out(plan, [LOOP], CORE, mend=True))[0] == "ADD.AB #4,$-1"


def test_a_pointer_to_what_has_been_copied_takes_the_nearest() -> None:
    plan = [*cells(LOOP), *cells(LOOP)]
    found = text(laid_out(plan, [LOOP], CORE, mend=True))
    assert found[:4] == found[4:] == text(LOOP)


def test_cells_of_two_parents_point_at_their_own() -> None:
    other = genome("SPL 1\nJMP -1")
    plan = [cells(other, 1)[0], *cells(LOOP), cells(other, 1)[1]]
    found = text(laid_out(plan, [LOOP, other], CORE, mend=True))
    assert (found[0], found[-1]) == ("SPL.B $5,$0", "JMP.B $-5,$0")
    assert found[1:5] == text(LOOP)


def test_the_start_moves_with_its_instruction_or_to_the_next_that_is_left() -> None:
    assert laid_out([Cell(NEW), *cells(LOOP)], [LOOP], CORE, mend=True).start == 2
    without = [cell for cell in cells(LOOP) if cell.origin != (0, 1)]
    assert laid_out(without, [LOOP], CORE, mend=True).start == 1
    assert laid_out([Cell(NEW)], [LOOP], CORE, mend=True).start == 0


@given(st.permutations(range(4)))
def test_mended_code_moved_away_and_back_is_the_same(order: list[int]) -> None:
    there = laid_out([cells(LOOP)[at] for at in order], [LOOP], CORE, mend=True)
    back = [cells(there)[order.index(at)] for at in range(4)]
    assert laid_out(back, [there], CORE, mend=True) == LOOP


def test_put_replaces_one_instruction() -> None:
    assert LOOP.put(0, NEW) == replace(LOOP, code=(NEW, *LOOP.code[1:]))
