from hypothesis import given
from hypothesis import strategies as st

from speciate.reports.tables import plain, table


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
