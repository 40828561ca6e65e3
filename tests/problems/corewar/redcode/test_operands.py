from __future__ import annotations

import pytest

from speciate.problems.corewar.redcode import RedcodeError, assemble


def cell(line: str) -> str:
    """Returns what one line assembles to."""
    return assemble(line).code[0].text(8000)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("mov.ab#1,2", "MOV.AB #1,$2"),
        ("MOV . I 1 , 2", "MOV.I $1,$2"),
        ("MOV #, 51", "MOV.AB #0,$51"),
        ("DAT 5", "DAT.F #0,$5"),
        ("DAT <5", "DAT.F #0,<5"),
        ("JMP #5", "JMP.B #5,$0"),
        ("NOP.I 5", "NOP.I $5,$0"),
        ("MOV *2*3, <2<3", "MOV.I *6,<1"),
        ("MOV 5100153, -8400252", "MOV.I $-3847,$-252"),
    ],
)
def test_operands_are_read_as_in_pmars(line: str, expected: str) -> None:
    assert cell(line) == expected


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("NOP", "NOP lacks an operand"),
        ("MOV 0,", "a B operand"),
        ("MOV 0", "MOV has one operand"),
        ("MOV 0, #", "lacks an operand"),
        ("MOV.C 0, 1", "'C' is not a modifier; expected one of .A .B"),
        ("MOV. 0, 1", "'0' is not a modifier"),
        ("MOV #@1, 2", "'@' where a value should be"),
        ("MOV 1, 2, 3", "unexpected ','; expected the end of the line"),
        ("MOV 0, 1 # c", "unexpected '#'"),
        ("MOV 1, 2 NOP", "unexpected the word 'NOP'"),
    ],
)
def test_what_is_no_operand_is_refused(line: str, said: str) -> None:
    with pytest.raises(RedcodeError) as caught:
        cell(line)
    assert said in str(caught.value)
