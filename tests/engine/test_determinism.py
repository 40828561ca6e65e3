from __future__ import annotations

from collections import Counter

import pytest

from speciate.engine import RunConfig, evolve
from speciate.records import Evaluated, Event, Patched, Replied
from speciate.testing.histories import (
    TracingEvaluator,
    assert_nothing_lost,
    assert_same_history,
    events_of,
)
from speciate.testing.knobs import knobs_task, write_script
from speciate.testing.runs import SmallRuns

TASK = knobs_task()
PROPOSERS = pytest.mark.parametrize("proposers", ["genetic", "model", "both"])


def lived(config: RunConfig, *, jitter: int | None = None, slots: int = 4) -> list[Event]:
    return events_of(evolve(TASK, config, evaluator=TracingEvaluator(TASK, jitter=jitter, slots=slots)).store)


@PROPOSERS
@pytest.mark.parametrize("driver", ["sequential", "pipeline:ordinal"])
def test_the_same_seed_gives_the_same_history(runs: SmallRuns, proposers: str, driver: str) -> None:
    config = runs.settings(proposers, driver)
    assert_same_history(lived(config), lived(config))


@PROPOSERS
def test_another_seed_gives_another_history(runs: SmallRuns, proposers: str) -> None:
    with pytest.raises(AssertionError):
        assert_same_history(lived(runs.settings(proposers)), lived(runs.settings(proposers, seed=4)))


@PROPOSERS
def test_in_ordinal_order_timing_makes_no_difference(runs: SmallRuns, proposers: str) -> None:
    config = runs.settings(proposers, "pipeline:ordinal")
    undisturbed = lived(config)
    for jitter in (1, 2):
        assert_same_history(undisturbed, lived(config, jitter=jitter))


def test_in_ordinal_order_slow_replies_make_no_difference(runs: SmallRuns) -> None:
    config = runs.settings("model", "pipeline:ordinal")
    undisturbed = lived(config)
    write_script(runs.script, delays=(0.0, 0.004, 0.001))
    assert_same_history(undisturbed, lived(config, jitter=1))


@PROPOSERS
def test_with_one_window_the_number_in_flight_makes_no_difference(runs: SmallRuns, proposers: str) -> None:
    few, many = (runs.settings(proposers, "pipeline:ordinal", {"pipeline": {"in_flight": n}}) for n in (1, 7))
    assert_same_history(lived(few, jitter=1), lived(many, jitter=2))


def test_the_window_is_what_candidates_do_not_see(runs: SmallRuns) -> None:
    config = runs.settings("genetic", "pipeline:ordinal", {"pipeline": {"window": 6, "in_flight": 3}})
    seen = {e.ordinal: e.seen for e in lived(config, jitter=1) if e.step == "chosen"}
    assert seen == {n: max(0 if n == 0 else 1, n - 5) for n in range(25)}


@PROPOSERS
def test_in_order_of_arrival_nothing_is_lost(runs: SmallRuns, proposers: str) -> None:
    events = lived(runs.settings(proposers, "pipeline:arrival"), jitter=1)
    assert_nothing_lost(events, candidates=24)
    keys = Counter((e.ordinal, e.attempt, e.step, e.part) for e in events)
    assert max(keys.values()) == 1


def test_in_order_of_arrival_the_order_is_really_another_one(runs: SmallRuns) -> None:
    config = runs.settings("genetic", "pipeline:arrival", {"budget": {"candidates": 60}})
    placed = [e.ordinal for e in lived(config, jitter=1) if e.step == "placed"]
    assert placed != sorted(placed)


def test_several_attempts_take_part_in_these_comparisons(runs: SmallRuns) -> None:
    events = lived(runs.settings("model"))
    assert {e.at for e in events if e.step == "rejected"} == {"propose", "screen"}
    assert any(isinstance(e, Patched) and e.attempt > 0 for e in events)
    assert any(isinstance(e, Replied) and e.error for e in events)
    assert any(isinstance(e, Evaluated) and not e.outcome.valid for e in events)
    assert any(e.step == "migrated" for e in events)
