from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from speciate.patches.literals import difference, literals
from speciate.tasks import language

PYTHON = language("python")


def test_plain_names_comments_brackets_and_layout_are_left_out() -> None:
    assert literals(["total = (w1 + 2.5) * rate", "  # 7", "", "name['x']"], PYTHON) == (
        "=",
        "w1",
        "+",
        "2.5",
        "*",
        "'x'",
    )


def test_what_is_a_comment_depends_on_the_language() -> None:
    lines = ["mov.i #4, }2 ; to 9"]
    assert literals(lines, language("redcode")) == ("#", "4", "}", "2")
    assert literals(lines, PYTHON) == ()


@given(st.lists(st.text("a1+'\"#() ", max_size=12), max_size=5), st.integers(0, 8))
def test_indentation_and_blank_lines_say_nothing(lines: list[str], depth: int) -> None:
    moved = [" " * depth + line for line in lines for line in (line, "")]
    assert difference(literals(lines, PYTHON), literals(moved, PYTHON)) is None


def test_the_first_difference_is_told() -> None:
    assert difference(("1", "2", "3"), ("1", "2", "3")) is None
    assert difference(("1", "2", "3"), ("1", "4")) == "'2' where these lines have '4'"
    assert difference(("1",), ("1", "4")) == "nothing where these lines have '4'"
