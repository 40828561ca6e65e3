import sys

import numpy as np
import pytest

from speciate.mutation.genetic.edits import splice
from speciate.mutation.genetic.lines import line_sites, take_lines
from speciate.mutation.genetic.sites import Sites
from speciate.tasks.languages import language


def sites(text: str, name: str = "c") -> Sites:
    return line_sites(text, ((0, len(text.encode())),), language(name))


def test_numbers_know_their_sign_and_leave_words_alone() -> None:
    found = sites("x1 = -2 + 3.5e-2 * f(-.5, 0x1f, 7u) - 4;")
    assert [n.value for n in found.numbers] == [-2, 0.035, -0.5, 4]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("a = 1; // 2 < 3\n/* 4\n5 */ b = 6;", "c"),
        ("a = 1 # 2 < 3\nb = 6", "julia"),
        ("a = 1 -- 2 < 3\nb = 6 --[[ 7\n 8 ]]", "lua"),
        ("a = 1; s = \"2 < 3\"; t = '4 \\' 5'; b = 6;", "javascript"),
    ],
)
def test_comments_and_quoted_text_are_left_alone(text: str, name: str) -> None:
    found = sites(text, name)
    assert [n.value for n in found.numbers] == [1, 6]
    assert not any(s.text == "<" for s in found.symbols)


def test_braces_make_the_rows_of_a_table() -> None:
    found = sites("double p[2][2] = {{0.1, 0.2}, {0.3, -0.4}};\nint q[] = {5, 6, 7};")
    rows = [[[found.numbers[k].value for k in row] for row in table.rows] for table in found.tables]
    assert rows == [[[0.1, 0.2], [0.3, -0.4]], [[5], [6], [7]]]


def test_only_balanced_lines_move() -> None:
    found = sites("while (a < b) {\n  c = d[1];\n  // note\n\n}\n")
    assert [found.text(s.span) for s in found.statements] == [b"  c = d[1];\n"]


def test_a_language_without_comments_works() -> None:
    assert [n.value for n in sites('{"a": [1, 2.5]}', "json").numbers] == [1, 2.5]


def test_lines_that_differ_are_taken_over() -> None:
    mine, other = (
        sites("a = 1;\nif (b) {\n  c = 2;\n}\n"),
        sites("a = 1;\nif (b) {\n  c = f(3);\n}\nd = 4;\n"),
    )
    changes = [take_lines(mine, other, np.random.default_rng(seed)) for seed in range(40)]
    made = {splice(mine.data, c.edits).decode() for c in changes if c is not None}
    assert "a = 1;\nif (b) {\n  c = f(3);\n}\n" in made


def test_absurd_constants_are_no_trouble() -> None:
    assert [n.value for n in sites(f"a = {'9' * 5000} + 1e999 + 2").numbers] == [sys.float_info.max, 2]


def test_an_operator_of_two_letters_is_one() -> None:
    found = sites("a <= b && c->d != e++;")
    assert [s.text for s in found.symbols] == ["<=", "&&", "!="]
