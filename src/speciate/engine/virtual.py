"""How long runs would have taken, had all waited as long as they declared."""

from __future__ import annotations

import heapq
from collections.abc import Sequence

from speciate.records import Seconds


def makespan(durations: Sequence[Seconds], *, in_flight: int = 1, window: int = 1) -> Seconds:
    """Returns when the last candidate is placed in the order of ordinals, on a clock that costs nobody time.

    Candidate n begins when one of `in_flight` places is free and candidate n − window is placed; it is placed
    when it has ended and all before it are placed. One place and a window of one make a sequential run.

    Args:
        durations: how long each candidate develops, in ordinal order.
        in_flight: how many develop at once, at least 1.
        window: how far a candidate's choice looks back, at least 1.
    """
    places = [0.0] * in_flight
    placed: list[Seconds] = []
    for number, duration in enumerate(durations):
        begins = heapq.heappop(places)
        if number >= window:
            begins = max(begins, placed[number - window])
        heapq.heappush(places, begins + duration)
        placed.append(max(begins + duration, placed[-1] if placed else 0.0))
    return placed[-1] if placed else 0.0
