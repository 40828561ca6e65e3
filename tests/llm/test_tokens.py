from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from speciate.llm.tokens import about, at_most, request_at_most
from speciate.records import Message, Request


def test_every_digit_may_be_a_token() -> None:
    assert at_most("0.12345") == 7
    assert at_most("the quick brown fox") == 7


@given(first=st.text(max_size=50), second=st.text(max_size=50))
def test_the_estimate_of_a_whole_is_at_most_that_of_its_parts(first: str, second: str) -> None:
    assert max(at_most(first), at_most(second)) <= at_most(first + second) <= at_most(first) + at_most(second)


@given(text=st.text(max_size=200))
def test_made_up_counts_do_not_pass_the_reserved_ones(text: str) -> None:
    assert about(text) <= at_most(text) + 1
    assert at_most(text) <= request_at_most(Request((Message("user", (text,)),)))
