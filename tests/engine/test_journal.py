from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from typing_extensions import override

from speciate.engine import Observer, RunConfig, build_run, evolve, live
from speciate.engine.settings import Layer
from speciate.errors import StoreError
from speciate.records import Evaluated, Event, TextHash
from speciate.store import MemoryStore
from speciate.testing.crashes import Moment, dies
from speciate.testing.histories import TracingEvaluator, assert_same_history, events_of
from speciate.testing.knobs import full_reply, knobs_task
from speciate.testing.runs import SmallRuns

TASK = knobs_task()


class SlowStore(MemoryStore):
    """Takes its time, as a database on another machine would."""

    @override
    async def append(self, events: Sequence[Event], texts: Mapping[TextHash, str] | None = None) -> None:
        given, known = list(events), dict(texts or {})
        for _ in range(20):
            await asyncio.sleep(0)
        await super().append(given, known)


class FullStore(MemoryStore):
    """A disk that is full after some events."""

    @override
    async def append(self, events: Sequence[Event], texts: Mapping[TextHash, str] | None = None) -> None:
        if len(list(self.events())) > 40:
            raise StoreError("the disk is full")
        await super().append(events, texts)


class Watch(Observer):
    def __init__(self) -> None:
        self.seen: list[Event] = []

    @override
    def on_event(self, event: Event) -> None:
        self.seen.append(event)


def lived_in(store: MemoryStore, config: RunConfig, *observers: Observer) -> list[Event]:
    run = build_run(TASK, config, store, observers=observers, evaluator=TracingEvaluator(TASK, jitter=5))
    asyncio.run(live(run))
    return events_of(store)


@pytest.mark.parametrize("proposers", ["genetic", "model"])
def test_a_store_that_takes_its_time_loses_nothing(runs: SmallRuns, proposers: str) -> None:
    config = runs.settings(proposers, "pipeline:ordinal")
    events = lived_in(SlowStore(), config)
    assert_same_history(events, events_of(evolve(TASK, config).store))


def test_an_outcome_that_is_still_being_written_can_be_reused(runs: SmallRuns) -> None:
    # Few programs, so that each is proposed again and again, also while its first outcome is being written.
    lines = [{"reply": full_reply(1.5 + i, 2.5), "delay": 0.0005 * i} for i in range(4)]
    runs.script.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    everything_again: Layer = {
        "novelty": {"fingerprint": False},
        "mutation": {"model": {"full": 1.0}},
        "pipeline": {"in_flight": 12},
        "budget": {"candidates": 60},
    }
    events = lived_in(SlowStore(), runs.settings("model", "pipeline:arrival", everything_again))
    reused = [e for e in events if isinstance(e, Evaluated) and e.cached is not None]
    assert reused


def test_a_full_disk_ends_the_run_with_what_happened_up_to_then(runs: SmallRuns) -> None:
    config = runs.settings("genetic", "pipeline:ordinal")
    store, undisturbed = FullStore(), events_of(evolve(TASK, config).store)
    with pytest.raises(StoreError, match="the disk is full"):
        lived_in(store, config)
    known = {(e.ordinal, e.attempt, e.step, e.part) for e in undisturbed}
    assert 40 < len(events_of(store)) < len(undisturbed)
    assert {(e.ordinal, e.attempt, e.step, e.part) for e in events_of(store)} <= known


def test_observers_are_told_of_everything_in_the_order_of_the_history(runs: SmallRuns) -> None:
    watch = Watch()
    events = lived_in(MemoryStore(), runs.settings("both", "pipeline:arrival"), watch)
    assert watch.seen == events


@pytest.mark.parametrize(
    ("then", "first"),
    [("patched", "replied"), ("rejected", "replied"), ("replied", "asked"), ("evaluated", "started")],
)
def test_what_must_not_be_lost_is_on_disk_before_the_next_step(
    runs: SmallRuns, tmp_path: Path, then: str, first: str
) -> None:
    watch, folder = Watch(), tmp_path / "run"

    def act(reaper: Observer) -> None:
        evolve(TASK, runs.settings("model"), folder=folder, observers=[reaper])

    assert dies(act, Moment(then, 4, "noted"))
    evolve(TASK, runs.settings("model"), observers=[watch])
    steps = [str(event.step) for event in watch.seen]
    ends = [number for number, step in enumerate(steps) if step == then][3]
    stored = Counter(str(event.step) for event in events_of(folder))
    assert stored[first] == steps[:ends].count(first)
