"""Ranking: an order that survives coming and going."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from speciate.archives.ranking import Ranking, check_fitness
from speciate.records import Member
from speciate.testing.archives import streams


@given(streams(), st.data())
def test_the_view_is_sorted_whatever_came_and_went(members: list[Member], data: st.DataObject) -> None:
    ranking = Ranking()
    for member in members:
        ranking.insert(member)
    leaving = data.draw(st.sets(st.sampled_from([m.ordinal for m in members])) if members else st.just(set()))
    for ordinal in leaving:
        assert ranking.pop(ordinal).ordinal == ordinal
    expected = [m for m in members if m.ordinal not in leaving]
    assert list(ranking.view()) == sorted(expected, key=lambda m: (-m.fitness[0], m.ordinal))
    assert len(ranking) == len(expected)


def test_first_not_above_points_at_the_first_of_equals() -> None:
    ranking = Ranking()
    for ordinal, score in enumerate([3.0, 1.0, 2.0, 2.0]):
        ranking.insert(Member(ordinal, (score,)))
    assert [ranking.first_not_above(score) for score in (9.0, 3.0, 2.5, 2.0, 1.0, 0.0)] == [0, 0, 1, 1, 3, 4]


def test_a_member_without_objectives_is_refused() -> None:
    with pytest.raises(ValueError, match="finite objectives"):
        check_fitness(Member(0, ()))
