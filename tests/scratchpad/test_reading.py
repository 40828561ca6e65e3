from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from speciate.records import Reply
from speciate.reflection import UnreadableError
from speciate.scratchpad.reading import (
    Advice,
    read_insights,
    read_recommendations,
    read_summaries,
)


def said(text: str, **more: str) -> Reply:
    return Reply(text, "keeper", **more)  # type: ignore[arg-type]  # strings among fields of other types


def test_summaries_are_found_by_number_in_the_order_of_the_candidates() -> None:
    text = "Sure!\n7: sorted first\n- **5**: a **bold** one\nProgram 6. greedy\n99: not asked about\n7: again"
    assert read_summaries(said(text), (5, 6, 7)) == (
        (5, "a **bold** one"),
        (6, "greedy"),
        (7, "sorted first"),
    )


@pytest.mark.parametrize("text", ["", "All failed.", "99: somebody else", "5:", "5: "])
def test_without_a_single_summary_the_reply_is_of_no_use(text: str) -> None:
    with pytest.raises(UnreadableError, match="NUMBER"):
        read_summaries(said(text), (5, 6))


def test_insights_are_bullets_and_bounded() -> None:
    text = "Insights:\n- one\n* two\n3. three\nprose\n- " + "x" * 900
    assert read_insights(said(text), most=8) == ("one", "two", "three", "x" * 500)
    assert read_insights(said(text), most=2) == ("one", "two")


def test_recommendations_say_what_they_contradict() -> None:
    text = (
        "- go left (contradicts 3)\n- go right (contradicts recommendation #4).\n"
        "- wait (contradicts 9)\n- wait\n"
    )
    assert read_recommendations(said(text), {3, 4}) == (
        Advice("go left", 3),
        Advice("go right", 4),
        Advice("wait"),
    )


def test_a_reply_that_was_cut_off_loses_its_last_line() -> None:
    assert read_insights(said("- whole\n- hal", finish="length"), most=8) == ("whole",)
    with pytest.raises(UnreadableError):
        read_insights(said("- hal", finish="max_tokens"), most=8)


def test_no_answer_is_no_answer() -> None:
    with pytest.raises(UnreadableError, match="no answer: out of credit"):
        read_insights(said("- x", error="out of credit"), most=8)


@given(st.text(max_size=300))
def test_whatever_is_said_is_read_as_short_printable_lines_or_refused(text: str) -> None:
    try:
        lines = read_insights(said(text), most=5)
    except UnreadableError:
        return
    assert 1 <= len(lines) <= 5
    assert all(line.isprintable() and line.strip() and len(line) <= 500 for line in lines)
