from __future__ import annotations

import pytest

from speciate.problems.corewar.redcode import RedcodeError, assemble


def code(source: str) -> list[str]:
    """Returns the instructions of a source that strict refuses and lenient repairs with a note."""
    with pytest.raises(RedcodeError):
        assemble(source)
    warrior = assemble(source, dialect="lenient")
    assert any(note for note in warrior.notes if ";assert" not in note)
    return [each.text(8000) for each in warrior.code]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("NOP", "NOP.F $0,$0"),
        ("DAT.F", "DAT.F $0,$0"),
        ("MOV 51 84", "MOV.I $51,$84"),
        ("MOV 0 @1", "MOV.I $0,@1"),
        ("MOV #5 <3", "MOV.AB #5,<3"),
        ("ADD #4 -3", "ADD.AB #4,$-3"),
        ("MOV.I (1+2) 4", "MOV.I $3,$4"),
        ("MOV 0, 1 # copies itself", "MOV.I $0,$1"),
        ("MOV 0, 1 // copies itself", "MOV.I $0,$1"),
        ("MOV 0, 0x10", "MOV.I $0,$16"),
        ("MOV 0, \u20131", "MOV.I $0,$-1"),
        ("MOV\u00a00,\u00a01", "MOV.I $0,$1"),
        ("`MOV 0, 1`", "MOV.I $0,$1"),
        ("1. MOV 0, 1", "MOV.I $0,$1"),
        ("- MOV 0, 1", "MOV.I $0,$1"),
        ("# first\nMOV 0, 1", "MOV.I $0,$1"),
        ("MOV 0, coresize-1", "MOV.I $0,$-1"),
    ],
)
def test_a_slip_is_repaired(line: str, expected: str) -> None:
    assert code(line) == [expected]


def test_labels_and_equs_are_found_in_another_case() -> None:
    assert code("Step EQU 4\nLoop ADD #STEP, 1\nJMP loop\n") == ["ADD.AB #4,$1", "JMP.B $-1,$0"]


def test_a_fence_and_the_talk_around_it_are_left_out() -> None:
    source = "Sure! Here it is:\n\n```redcode\nloop MOV 0, 1\n```\n\nIt copies itself (see MOV above).\n"
    warrior = assemble(source, dialect="lenient")
    assert len(warrior) == 1
    assert "only the fenced lines 4 to 4 are taken" in warrior.notes


def test_of_several_fences_the_one_with_most_code_is_taken() -> None:
    source = "```\nMOV 0, 1\n```\nbetter:\n```\nSPL 0\nMOV 0, 1\n```\n"
    assert code(source) == ["SPL.B $0,$0", "MOV.I $0,$1"]


def test_prose_without_a_fence_is_left_out_line_by_line() -> None:
    source = "Here's a warrior.\nMOV 0, 1\nThis will move code (fast) forward.\n"
    warrior = assemble(source, dialect="lenient")
    assert len(warrior) == 1
    assert "line 1: left out, it is no Redcode" in warrior.notes
    assert "line 3: left out, it is no Redcode" in warrior.notes


def test_a_second_redcode_line_before_any_code_is_ignored() -> None:
    assert code(";redcode-94\n;redcode\nMOV 0, 1\n;redcode\nMOV 0, 2\n") == ["MOV.I $0,$1"]


@pytest.mark.parametrize(
    "source", ["MOV 0", "JMP nowhere", "NOP 1\n" * 101, "MOV 0, (1", "MOV.Z 0, 1", "no code at all, friend"]
)
def test_what_has_no_one_meaning_is_still_an_error(source: str) -> None:
    with pytest.raises(RedcodeError):
        assemble(source, dialect="lenient")


def test_an_error_names_the_line_of_the_reply() -> None:
    with pytest.raises(RedcodeError) as caught:
        assemble("Look:\n```\nMOV 0, 1\nJMP nowhere\n```\n", dialect="lenient")
    assert caught.value.line == 4


def test_what_is_right_already_is_not_touched() -> None:
    source = ";assert 1\nx EQU 1,2\nlbl: MOV x\nDAT lbl*2, }5-3*2\nSPL -1, <-2 ; fine - really\n"
    strict, lenient = assemble(source), assemble(source, dialect="lenient")
    assert strict == lenient


def test_a_line_that_only_lacks_a_known_opcode_is_an_error_and_not_prose() -> None:
    """Taken for prose, the warrior would silently lack an instruction."""
    with pytest.raises(RedcodeError, match=r"(?s)line 2.*JMP"):
        assemble("MOV 0, 1\nJUMP -1\n", dialect="lenient")
    with pytest.raises(RedcodeError, match="line 2"):
        assemble("MOV 0, 1\nloop: MOVE.I $0, $1\n", dialect="lenient")
