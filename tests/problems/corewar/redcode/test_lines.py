from __future__ import annotations

import pytest

from speciate.problems.corewar.redcode import RedcodeError, assemble


def code(source: str | bytes) -> list[str]:
    """Returns the instructions of a source as text."""
    return [each.text(8000) for each in assemble(source).code]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_end_in_every_usual_way(end: str) -> None:
    assert code(f"NOP 1{end}NOP 2{end}") == ["NOP.F $1,$0", "NOP.F $2,$0"]


def test_a_backslash_continues_a_line_and_numbers_stay() -> None:
    assert code("MOV 0,\\\n51\n") == ["MOV.I $0,$51"]
    with pytest.raises(RedcodeError, match="line 3"):
        code("MOV 0,\\\n51\nJMP nowhere\n")


def test_the_program_lies_between_two_redcode_lines() -> None:
    assert code("junk ( @\n;redcode-94\nNOP 2\n;redcode\nNOP 3\n") == ["NOP.F $2,$0"]
    assert code("NOP 1 ;redcode\n; redcode\n;redcodex\nNOP 2\n") == ["NOP.F $1,$0", "NOP.F $2,$0"]


def test_comments_may_hold_latin_1_and_code_may_not() -> None:
    assert code(b"; caf\xe9\nNOP 1 ; \xe9\n") == ["NOP.F $1,$0"]
    with pytest.raises(RedcodeError, match="line 2, column 5"):
        code(b"; caf\xe9\nNOP \xe9\n")


def test_a_byte_order_mark_is_no_code() -> None:
    assert code("\ufeffNOP 1\n".encode()) == ["NOP.F $1,$0"]


def test_a_zero_byte_is_refused_at_its_place() -> None:
    with pytest.raises(RedcodeError, match="line 1, column 6"):
        code("NOP 1\x00\n")


def test_a_long_line_is_shown_shortened() -> None:
    with pytest.raises(RedcodeError) as caught:
        code("NOP " + "(" * 500)
    assert len(caught.value.text) == 120
