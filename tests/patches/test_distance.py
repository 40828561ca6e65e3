from __future__ import annotations

import random
from difflib import SequenceMatcher

import pytest

from speciate.patches import distance, unified_diff
from speciate.records import Program


def program(text: str, name: str = "a.py") -> Program:
    return Program.of({name: text})


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("a\nb\n", "a\nb\n", 0),
        ("a\nb\n", "c\nd\n", 1),
        ("a\nb\n", "a\nc\n", 0.5),
        ("a\n", "", 1),
        ("", "", 0),
    ],
)
def test_distance_is_the_share_of_lines_not_in_common(before: str, after: str, expected: float) -> None:
    assert distance(program(before), program(after)) == expected


def test_distance_is_exact_where_a_greedy_matcher_is_not() -> None:
    draw = random.Random(5)
    for _ in range(50):
        a, b = (["abcd"[draw.randrange(4)] for _ in range(40)] for _ in range(2))
        found = distance(program("\n".join(a) + "\n"), program("\n".join(b) + "\n"))
        assert found <= 1 - SequenceMatcher(None, a, b, autojunk=False).ratio() + 1e-12
        assert found == pytest.approx(1 - 2 * longest_common(a, b) / 80)


def longest_common(a: list[str], b: list[str]) -> int:
    """The textbook table."""
    row = [0] * (len(b) + 1)
    for x in a:
        last, diagonal = 0, 0
        for j, y in enumerate(b, start=1):
            diagonal, row[j] = row[j], diagonal + 1 if x == y else max(row[j], last)
            last = row[j]
    return row[-1]


def test_lines_of_different_files_are_not_common() -> None:
    assert distance(program("a\n", "a.py"), program("a\n", "b.py")) == 1


def test_the_diff_names_files_and_says_when_a_last_line_end_is_missing() -> None:
    assert unified_diff(program("a\nb"), program("a\nc\n")) == (
        "--- before/a.py\n+++ after/a.py\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n"
    )
