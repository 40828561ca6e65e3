"""Positions: exact, ordered, and worth nothing in a log that is not theirs."""

from __future__ import annotations

from hypothesis import assume, given
from hypothesis import strategies as st

from speciate.ensembles.transport.positions import mark_of, number_of

NUMBERS = st.integers(0, 2**32 - 1)


@given(st.text(), NUMBERS, st.integers(0, 1000))
def test_a_position_gives_its_number_back_and_never_leaves_its_place(
    born: str, number: int, more: int
) -> None:
    mark = mark_of(born)
    assert 0 < mark < 1
    assert number_of(number + mark, mark, number + more) == number
    assert number + mark < number + 1 + mark


@given(st.text(), st.text(), NUMBERS)
def test_a_position_of_another_log_means_nothing(one: str, other: str, number: int) -> None:
    mine, theirs = mark_of(one), mark_of(other)
    assume(mine != theirs)
    assert number_of(number + theirs, mine, number) == 0


@given(st.text(), NUMBERS, st.integers(1, 1000))
def test_a_position_beyond_the_log_is_of_one_that_was_lost(born: str, last: int, beyond: int) -> None:
    assert number_of(last + beyond + mark_of(born), mark_of(born), last) == 0


def test_the_very_beginning_is_a_position_of_every_log() -> None:
    assert number_of(0.0, mark_of("any"), 7) == 0
