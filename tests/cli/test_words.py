from __future__ import annotations

import pytest

from speciate.cli.output import Output, as_json_text, columns
from speciate.cli.words import clock_time, tally_words, visible


@pytest.mark.parametrize(("seconds", "words"), [(0.9, "0:00"), (61, "1:01"), (3661, "1:01:01")])
def test_durations(seconds: float, words: str) -> None:
    assert clock_time(seconds) == words


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("a\tb\nc\r\nd é 中", "a\tb\nc\r\nd é 中"),
        ("\x1b[2Jgone", r"\x1b[2Jgone"),
        ("if bad:\rif good:", r"if bad:\rif good:"),
        ("\x9b31m\x7f", r"\x9b31m\x7f"),
        ("\u202etrojan", r"\u202etrojan"),
    ],
)
def test_a_terminal_obeys_nothing_that_a_candidate_wrote(text: str, seen: str) -> None:
    assert visible(text) == seen


def test_counts_by_name() -> None:
    assert tally_words({"b": 1, "a": 2}) == "3 (a 2, b 1)"
    assert tally_words({}) == "0"


def test_columns_are_aligned_and_end_without_blanks() -> None:
    assert columns([("a", "long"), ("bbb", "c")]) == ["  a    long", "  bbb  c"]
    assert columns([]) == []


def test_json_says_what_it_can() -> None:
    assert as_json_text({"x": float("nan"), "y": (1, 2), "z": "\ud800"}) == (
        '{"x": null, "y": [1, 2], "z": "\\ud800"}'
    )


def test_words_leave_stdout_to_json(capsys: pytest.CaptureFixture[str]) -> None:
    output = Output(as_json=True)
    output.say("words")
    output.result({})
    assert capsys.readouterr() == ("{}\n", "words\n")


def test_quiet_leaves_out_remarks_alone(capsys: pytest.CaptureFixture[str]) -> None:
    output = Output(as_json=False, quiet=True)
    output.remark("by the way")
    output.say("the answer")
    assert capsys.readouterr() == ("the answer\n", "")
