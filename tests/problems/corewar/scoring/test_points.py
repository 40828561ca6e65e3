from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from speciate.problems.corewar.mars import Flags
from speciate.problems.corewar.scoring import points

CYCLES = 30


def flags(rows: Sequence[Sequence[int]]) -> Flags:
    return np.array(rows, np.uint8)


def drq_by_the_cycle(lifetimes: Sequence[Sequence[int]]) -> list[float]:
    """The formula as it is written, cycle by cycle."""
    count = len(lifetimes[0])
    scores = [0.0] * count
    for row in lifetimes:
        for cycle in range(CYCLES):
            alive = [lifetime > cycle for lifetime in row]
            for seat in range(count):
                if alive[seat]:
                    scores[seat] += count / sum(alive) / CYCLES / len(lifetimes)
    return scores


@settings(max_examples=100, deadline=None)
@given(
    st.integers(1, 6).flatmap(
        lambda count: st.lists(
            st.lists(st.integers(0, CYCLES), min_size=count, max_size=count), min_size=1, max_size=4
        )
    )
)
def test_drq_scores_follow_from_lifetimes(lifetimes: list[list[int]]) -> None:
    scores = points.drq_scores(np.array(lifetimes, np.int64), CYCLES)
    assert scores == pytest.approx(drq_by_the_cycle(lifetimes))
    assert scores.min() >= 0
    assert scores.sum() <= len(lifetimes[0]) + 1e-9


@settings(max_examples=100, deadline=None)
@given(
    st.integers(1, 5).flatmap(
        lambda n: st.lists(st.lists(st.integers(0, 1), min_size=n, max_size=n), min_size=1)
    )
)
def test_every_round_is_counted_once(alive: list[list[int]]) -> None:
    found = points.results(flags(alive))
    if len(alive[0]) != 2:
        assert all(sum(row) == len(alive) for row in found)
        return
    (wins, ties), (losses, same) = found
    assert ties == same
    assert wins + ties + losses == len(alive)


def test_the_death_of_both_is_a_tie_without_points() -> None:
    assert points.results(flags([[0, 0]])) == [[0, 1], [0, 1]]
    assert points.pmars_points(flags([[0, 0]])).tolist() == [0, 0]


def test_points_are_rounded_down_in_each_round() -> None:
    assert points.pmars_points(flags([[1, 1], [1, 1], [1, 0]])).tolist() == [5, 2]
    assert points.pmars_points(flags([[1, 1, 1, 0]])).tolist() == [5, 5, 5, 0]
