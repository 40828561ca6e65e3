from __future__ import annotations

import pytest

from speciate.problems.corewar.redcode import RedcodeError, assemble


def code(source: str) -> list[str]:
    """Returns the instructions of a source as text."""
    return [each.text(8000) for each in assemble(source).code]


def test_labels_stand_alone_in_numbers_and_with_colons() -> None:
    assert code("a\nb:\nc d: e MOV a, e+7\nJMP c\n") == ["MOV.I $0,$7", "JMP.B $-1,$0"]


def test_a_taken_label_leaves_its_line_out_and_says_so() -> None:
    warrior = assemble("q MOV 0,51\nq JMP q\n")
    assert len(warrior) == 1
    assert "line 2: the label 'q' is taken; the line is left out" in warrior.notes


def test_labels_behind_the_last_instruction_are_noted() -> None:
    assert any("zz" in note for note in assemble("MOV 0,1\nzz\n").notes)


def test_equ_is_text_and_may_be_used_before_it_is_defined() -> None:
    assert code("MOV m 5, x*2\nm EQU @\nx EQU 1+2\n") == ["MOV.I @5,$5"]


def test_equ_of_several_lines_is_a_macro() -> None:
    source = "blk EQU mov 1, 2\n; between\n EQU add 1,\nlbl blk 5\njmp lbl\n"
    assert code(source) == ["MOV.I $1,$2", "ADD.F $1,$5", "JMP.B $-2,$0"]


@pytest.mark.parametrize(
    "source", ["a EQU b\nb EQU a\nMOV a,1", "x EQU x\nx", "x EQU NOP 1\n EQU x\nx", "MOV x,1\nx EQU x"]
)
def test_an_equ_that_stands_for_itself_is_refused(source: str) -> None:
    with pytest.raises(RedcodeError):
        code(source)


def test_an_equ_of_several_lines_cannot_be_an_operand() -> None:
    with pytest.raises(RedcodeError, match="2 lines"):
        code("x EQU 1\n EQU 2\nMOV 0, x\n")


def test_loops_nest_and_their_indexes_join_to_names() -> None:
    source = "i FOR 2\nj FOR 2\nl&i&j DAT i, j\nROF\nROF\nJMP l0102\n"
    assert code(source) == ["DAT.F $1,$1", "DAT.F $1,$2", "DAT.F $2,$1", "DAT.F $2,$2", "JMP.B $-3,$0"]


def test_the_inner_count_may_use_the_outer_index() -> None:
    assert code("i FOR 3\nj FOR i-1\nDAT i, j\nROF\nROF\n") == ["DAT.F $2,$1", "DAT.F $3,$1", "DAT.F $3,$2"]


def test_a_loop_that_is_not_taken_needs_no_sense_inside() -> None:
    assert code("FOR 0\n( @@ FOR\nFOR 5\nROF\nROF\nNOP 1\n") == ["NOP.F $1,$0"]


def test_a_loop_without_rof_is_taken_once_and_noted() -> None:
    warrior = assemble("i FOR 7\nMOV i, 1\n")
    assert len(warrior) == 1
    assert "line 1: FOR without ROF; its lines are taken once" in warrior.notes


def test_end_ends_the_program_even_in_a_loop() -> None:
    assert code("FOR 3\nNOP 1\nEND\nROF\nbroken ( text\n") == ["NOP.F $1,$0"]


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("ROF\n", "ROF without FOR"),
        ("FOR\nROF\n", "where a value should be"),
        ("FOR 2 )\nROF\n", "')' behind the count of FOR"),
        ("CURLINE EQU 5\n", "predefined"),
        ("n EQU 3\nl&n NOP 1\n", "'&' cannot join 'n'"),
        ("MVO 0, 1\n", "did you mean 'MOV'"),
        ("NOP 1\n" * 101, "too many instructions; expected at most 100"),
        ("MOV 0, 1\n```\n", "line 2, column 1"),
    ],
)
def test_what_cannot_be_unfolded_is_refused(source: str, said: str) -> None:
    with pytest.raises(RedcodeError) as caught:
        code(source)
    assert said in str(caught.value)
