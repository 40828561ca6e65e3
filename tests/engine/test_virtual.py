from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from speciate.engine.virtual import makespan

durations = st.lists(st.floats(0.0, 100.0), max_size=30)
counts = st.integers(1, 8)


@given(durations)
def test_one_after_the_other_takes_the_sum(waits: list[float]) -> None:
    assert makespan(waits) == pytest.approx(sum(waits))


@given(durations, counts, counts)
def test_no_schedule_beats_its_longest_wait_or_its_places(
    waits: list[float], places: int, window: int
) -> None:
    time = makespan(waits, in_flight=places, window=window)
    assert max(waits, default=0.0) - 1e-9 <= time <= sum(waits) + 1e-9
    assert time >= sum(waits) / min(places, window) - 1e-9


def test_a_full_house_waits_for_a_place() -> None:
    assert makespan([3.0, 1.0, 1.0, 1.0], in_flight=2, window=9) == 3.0
    assert makespan([3.0, 1.0, 1.0, 1.0], in_flight=2, window=2) == 4.0  # the third waits for the first


def test_a_wider_window_never_waits_longer() -> None:
    waits = [float((7 * k) % 11) for k in range(40)]
    times = [makespan(waits, in_flight=4, window=window) for window in (1, 4, 8, 16, 64)]
    assert times == sorted(times, reverse=True)
    assert times[0] == sum(waits)
