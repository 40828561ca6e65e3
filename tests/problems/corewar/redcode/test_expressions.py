from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from speciate.problems.corewar.redcode import RedcodeError, assemble


def value(expression: str, before: str = "") -> int:
    """Returns what an expression is worth as the A operand of the third instruction."""
    warrior = assemble(f"{before}\nNOP 0\nlab NOP 0\nNOP {expression}\nnext NOP 0\n")
    a = warrior.code[2].a
    return a if a <= 4000 else a - 8000


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("7-2-1", 4),
        ("2*3+4", 10),
        ("2+3*4", 14),
        ("(2+3)*4", 20),
        ("-7/2", -3),
        ("7/-2", -3),
        ("-7%4", -3),
        ("7%-4", 3),
        ("!5", 0),
        ("!0", 1),
        ("!!5", 1),
        ("--5", 5),
        ("+-+5", -5),
        ("1<2", 1),
        ("2<=1", 0),
        ("2!=1", 1),
        ("2==2==2", 0),
        ("1||0&&0", 1),
        ("5&&3", 1),
        ("1 = = 1", 1),
        ("5 5", 55),
        ("lab", -1),
        ("next", 1),
        ("2-lab", 3),
        ("CURLINE", 2),
        ("CORESIZE-1", -1),
    ],
)
def test_arithmetic_is_that_of_c(expression: str, expected: int) -> None:
    assert value(expression) == expected


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("7-2*3-1", 2),
        ("7-2*3>0", 1),
        ("7-2*3*1>0", 6),
        ("10-4/2-1", 9),
        ("5<3/1<=5*1||7", 1),
        ("5<3/1<=5||7", 0),
    ],
)
def test_operators_behind_a_stronger_one_group_as_in_pmars(expression: str, expected: int) -> None:
    assert value(expression) == expected


def test_an_unusual_grouping_is_noted() -> None:
    assert any("parentheses" in note for note in assemble("NOP 7-2*3-1").notes)
    assert not any("parentheses" in note for note in assemble("NOP 7-2*3").notes)


def test_a_variable_keeps_its_value_and_begins_as_zero() -> None:
    assert value("(x=51)+X") == 102
    assert value("q") == 0
    assert any("'q' is no label" in note for note in assemble("NOP q").notes)


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        ("1/0", "division by zero"),
        ("1%0", "division by zero"),
        ("(1", "not closed"),
        ("1)", "unexpected ')'"),
        ("()", "where a value should be"),
        ("2*", "the end of the line"),
        ("1+MOV", "'MOV' where a value should be"),
        ("lap", "did you mean 'lab'"),
        ("9" * 30, "too large"),
        ("9" * 5000, "too long"),
        ("999999999999*999999999999", "too large"),
        ("(" * 100 + "1" + ")" * 100, "nested too deep"),
        ("0x51", "unexpected 'x51'"),
        ("2**3", "where a value should be"),
        ("1+2*3==7", "parentheses around its left side"),
        ("5^3", "unexpected '^'"),
    ],
)
def test_what_is_no_expression_is_refused_with_its_place(expression: str, said: str) -> None:
    with pytest.raises(RedcodeError, match="line 4") as caught:
        value(expression)
    assert said in str(caught.value)


@given(st.integers(-4000, 3999), st.integers(-4000, 3999))
def test_sums_and_products_are_exact(a: int, b: int) -> None:
    assert (value(f"({a})+({b})") - (a + b)) % 8000 == 0
    assert (value(f"({a})*({b})") - a * b) % 8000 == 0


@given(st.integers(-(10**6), 10**6), st.integers(-1000, 1000).filter(bool))
def test_quotient_and_rest_give_the_dividend_back(a: int, b: int) -> None:
    assert (value(f"(({a})/({b}))*({b})+(({a})%({b}))") - a) % 8000 == 0
