from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from speciate.engine import evolve
from speciate.engine.settings import Layer
from speciate.novelty import (
    Comparison,
    Rate,
    Tape,
    compare_again,
    recorded_comparisons,
    reliability,
    tapes_of,
    threshold_for,
    threshold_rows,
)
from speciate.records import Patched
from speciate.testing.histories import events_of
from speciate.testing.knobs import knobs_task
from speciate.testing.runs import SmallRuns

TASK = knobs_task()
WATCHING: Layer = {"novelty": {"embedding": "paths", "threshold": 1.0, "genetic": True}}
"""Compares everything and stops nothing but what is the same to six decimals."""


def comparison(similarity: float, *, same: bool | None = None, better: bool | None = None) -> Comparison:
    return Comparison(1, "p", "diff", 0, similarity, same, better)


@pytest.mark.parametrize("driver", ["sequential", "pipeline:ordinal"])
@pytest.mark.parametrize("proposers", ["genetic", "both"])
def test_comparing_again_finds_what_the_run_found(tmp_path: Path, driver: str, proposers: str) -> None:
    store = evolve(TASK, SmallRuns(tmp_path).settings(proposers, driver, WATCHING)).store
    again = [(c.ordinal, c.nearest, c.similarity) for c in compare_again(store, TASK.spec)]
    lived = [
        (event.ordinal, event.novelty.nearest, event.novelty.similarity)
        for event in events_of(store)
        if isinstance(event, Patched) and event.novelty and event.novelty.nearest is not None
    ]
    assert sorted(again) == sorted(lived)
    assert len(again) > 10


def test_recorded_comparisons_hold_the_refused_ones_too(tmp_path: Path) -> None:
    strict: Layer = {"novelty": {"embedding": "paths", "threshold": 0.9}}
    store = evolve(TASK, SmallRuns(tmp_path).settings("model", "sequential", strict)).store
    found = recorded_comparisons(store)
    assert {c.verdict for c in found} >= {"similar"}
    assert all(c.same_behaviour is None and c.better is None for c in found if c.verdict == "similar")


def test_rows_count_what_is_above() -> None:
    found = [
        comparison(0.99, same=True, better=False),
        comparison(0.97, same=False, better=True),
        comparison(0.5, same=False, better=True),
        comparison(0.95),
    ]
    row, none = threshold_rows(found, [0.95, 1.0])
    assert (row.suspicious, row.compared, row.share) == (2, 4, 0.5)
    assert (row.same, row.judged, row.better, row.all_better) == (1, 2, 1, 2)
    assert (none.suspicious, none.all_better) == (0, 2)


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=30), st.floats(0, 1))
def test_a_named_threshold_keeps_its_share_and_none_below_does(values: list[float], share: float) -> None:
    found = [comparison(value) for value in values]
    threshold = threshold_for(found, share)
    assert threshold is not None
    assert sum(value > threshold for value in values) <= share * len(values)
    lower = [value for value in values if value < threshold]
    if lower:
        assert sum(value > max(lower) for value in values) > share * len(values)


def test_without_comparisons_there_is_no_threshold() -> None:
    assert threshold_for([], 0.1) is None
    assert threshold_rows([], [0.5])[0].share == 0.0


TAPES = [
    *[Tape("novel", True)] * 6,
    *[Tape("novel", False)] * 2,
    *[Tape("not_novel", False)] * 3,
    Tape("not_novel", True),
    Tape("not_novel", None),
    *[Tape("undecided", True)] * 2,
]


def test_a_judges_verdicts_are_held_against_behaviour() -> None:
    found = reliability(TAPES)
    assert found.verdicts == 15
    assert (found.undecided.hits, found.undecided.total) == (2, 15)
    assert (found.agreement.hits, found.agreement.total) == (9, 12)
    assert (found.false_accept.hits, found.false_accept.total) == (2, 8)
    assert (found.false_reject.hits, found.false_reject.total) == (1, 4)


def test_of_nothing_nothing_is_known() -> None:
    found = reliability([Tape("not_novel", None)])
    assert found.false_reject.share is None
    assert found.false_reject.interval == (0.0, 1.0)


def test_an_interval_is_that_of_the_literature() -> None:
    low, high = Rate(8, 10).interval  # 0.490 to 0.943, as tables give it
    assert (round(low, 3), round(high, 3)) == (0.49, 0.943)


@given(st.integers(0, 50), st.integers(1, 50))
def test_an_interval_holds_its_share_and_stays_within_bounds(hits: int, more: int) -> None:
    rate = Rate(hits, hits + more)
    low, high = rate.interval
    assert rate.share is not None
    assert 0 <= low <= rate.share <= high <= 1


def test_only_judges_words_become_tapes() -> None:
    said = Comparison(1, "p", "diff", 0, 0.99, True, None, verdict="novel")
    unknown = Comparison(2, "p", "diff", 0, 0.99, None, None, verdict="not_novel")
    apart = Comparison(3, "p", "diff", 0, 0.2, False, None, verdict="apart")
    assert tapes_of([said, unknown, apart]) == [Tape("novel", False), Tape("not_novel", None)]
