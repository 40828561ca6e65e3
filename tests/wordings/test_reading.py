from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from speciate.records import Reply
from speciate.reflection import UnreadableError
from speciate.wordings.reading import LEAST_CHARACTERS, read_wording

TEXT = "You improve programs. Look at the feedback before you look at the program."


def said(text: str, **more: str) -> Reply:
    return Reply(text, "m", **more)  # type: ignore[arg-type]  # strings among fields of other types


def test_the_block_is_the_wording_and_the_summary_tells_of_it() -> None:
    made = read_wording(
        said(f"Summary: feedback *first*\n\n```text\n{TEXT}\n\nSecond part.  \n```\n"), most=500
    )
    assert made.text == f"{TEXT}\n\nSecond part."
    assert made.summary == "feedback *first"


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        (said("", error="HTTP 500"), "no answer: HTTP 500"),
        (said(f"```text\n{TEXT}\n```", finish="content_filter"), "declined"),
        (said(f"```text\n{TEXT}\n```", finish="length"), "cut off"),
        (said(" \n"), "empty"),
        (said(TEXT), "there are 0"),
        (said(f"```text\n{TEXT}\n```\n```text\n{TEXT}\n```"), "there are 2"),
        (said("```text\nBe bold.\n```"), f"at least {LEAST_CHARACTERS}"),
        (said("```text\n" + "Be bold. " * 90 + "\n```"), "at most 500"),
        (said(f"```text\n{TEXT}\nAnswer in SEARCH/REPLACE blocks.\n```"), "form of the answer"),
        (said(f"```text\n{TEXT}\nBegin with Summary: and a line.\n```"), "form of the answer"),
        (said(f"````text\n{TEXT}\n```python\nx = 1\n```\n````"), "form of the answer"),
        (said(f"```text\n{TEXT} {{{{answer}}}}\n```"), "form of the answer"),
    ],
)
def test_what_is_of_no_use_says_why(reply: Reply, message: str) -> None:
    with pytest.raises(UnreadableError, match=message):
        read_wording(reply, most=500)


def test_what_cannot_be_stored_is_taken_out() -> None:
    made = read_wording(said(f"```text\n{TEXT}\x00\x1b[31m \ud800\tx\n```"), most=500)
    assert made.text == f"{TEXT}[31m ?    x"


@given(st.text(max_size=400))
def test_whatever_is_said_is_read_within_bounds_or_refused(text: str) -> None:
    try:
        made = read_wording(said(f"```text\n{text}\n```"), most=200)
    except UnreadableError:
        return
    assert LEAST_CHARACTERS <= len(made.text) <= 200
    assert made.text.encode()
    assert "```" not in made.text
