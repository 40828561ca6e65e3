import pytest
from hypothesis import given
from hypothesis import strategies as st

from speciate.reports.tables import dollars, duration, gain, number, plain, share, table


def test_columns_of_numbers_lean_to_the_right() -> None:
    assert table(("name", "count "), [("a", "1")]) == "| name | count |\n| --- | ---: |\n| a | 1 |"


@given(st.text(max_size=300))
def test_foreign_text_stays_in_its_cell(text: str) -> None:
    shown = plain(text)
    assert len(shown.splitlines()) <= 1
    assert "|" not in shown.replace("\\\\", "").replace("\\|", "")


def test_foreign_text_is_shown_as_it_is() -> None:
    assert plain("snake_case stays, _emphasis_ does not") == r"snake_case stays, \_emphasis\_ does not"
    assert plain("<b>[x](y)`") == r"\<b\>\[x\](y)\`"
    assert plain("a\n\tb") == "a b"
    assert plain("x" * 50, most=10) == "x" * 9 + "…"


@pytest.mark.parametrize(
    ("cost", "text"), [(None, "unknown"), (0.0, "$0.00"), (1.234, "$1.23"), (0.00123, "$0.0012")]
)
def test_unknown_money_is_not_nothing_and_small_sums_are_not_zero(cost: float | None, text: str) -> None:
    assert dollars(cost) == text


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.0123, "12 ms"), (61.04, "61.0 s"), (150, "2 min 30 s"), (3725, "1 h 2 min")]
)
def test_durations_are_told_in_units_that_suit_them(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_what_is_not_there_is_a_dash() -> None:
    assert (number(None), gain(None), share(0, 0)) == ("–", "–", "–")
    assert (number(2.6359830849), gain(0.5), share(1, 3)) == ("2.63598", "+0.5", "33 %")
