"""Every history that the engine writes is found true, and every falsified one is found out."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from speciate.engine import Diagnosis, RunConfig, build_run, evolve, examine, resume
from speciate.engine.doctor import Check
from speciate.records import (
    Chosen,
    Evaluated,
    Event,
    Migrated,
    Patched,
    Placed,
    Placement,
    PlacementKind,
    RejectedEvent,
    Replied,
    TextRef,
)
from speciate.store import DATABASE, Store, StoreReader, open_store
from speciate.testing.crashes import Moment, dies
from speciate.testing.histories import TracingEvaluator, events_of, retold
from speciate.testing.knobs import knobs_task
from speciate.testing.runs import SmallRuns

TASK = knobs_task()
DRIVERS = ["sequential", "pipeline:ordinal", "pipeline:arrival"]


def diagnosis(store: Store, config: RunConfig) -> Diagnosis:
    return asyncio.run(examine(build_run(TASK, config, store, offline=True)))


def lived(config: RunConfig) -> Store:
    return evolve(TASK, config, evaluator=TracingEvaluator(TASK, jitter=1)).store


@pytest.mark.parametrize("driver", DRIVERS)
@pytest.mark.parametrize("proposers", ["genetic", "model", "both"])
def test_histories_of_all_drivers_are_healthy(runs: SmallRuns, proposers: str, driver: str) -> None:
    config = runs.settings(proposers, driver, {"budget": {"candidates": 40}})
    found = diagnosis(lived(config), config)
    assert found.findings == ()
    assert found.redecided > 80


def test_a_run_without_duplicate_screen_reuses_outcomes_and_is_healthy(runs: SmallRuns) -> None:
    config = runs.settings("model", "pipeline:ordinal", {"novelty": {"fingerprint": False}})
    store = lived(config)
    assert any(isinstance(e, Evaluated) and e.cached is not None for e in events_of(store))
    assert diagnosis(store, config).findings == ()


@pytest.mark.parametrize("driver", DRIVERS)
def test_a_killed_run_is_healthy_before_and_after_it_is_resumed(
    runs: SmallRuns, tmp_path: Path, driver: str
) -> None:
    config, folder = runs.settings("both", driver), tmp_path / "run"
    moment = Moment("evaluated", 9, "written")
    assert dies(lambda reaper: evolve(TASK, config, folder=folder, observers=[reaper]), moment)
    for _ in range(2):
        store = open_store(folder)
        assert diagnosis(store, config).findings == ()
        store.close()
        resume(folder, task=TASK)


def test_a_run_that_ran_out_of_calls_is_healthy(runs: SmallRuns) -> None:
    config = runs.settings("model", "pipeline:ordinal", {"budget": {"calls": 20}})
    assert diagnosis(lived(config), config).findings == ()


def other_parent(event: Event) -> Event:
    if isinstance(event, Chosen) and event.ordinal == 15:
        return replace(event, parents=(1 if event.parents[0] != 1 else 2,))
    return event


def other_placement(event: Event) -> Event:
    if isinstance(event, Placed) and event.ordinal == 12:
        return replace(event, placements=((0, Placement(PlacementKind.NOT_KEPT)),))
    return event


def false_best(event: Event) -> Event:
    return replace(event, best=True) if isinstance(event, Placed) else event


def other_fingerprint(event: Event) -> Event:
    if isinstance(event, Patched) and event.ordinal == 8:
        return replace(event, fingerprint="0" * 32)
    return event


def foreign_seen(event: Event) -> Event:
    return replace(event, seen=0) if isinstance(event, Chosen) and event.ordinal == 9 else event


def stolen_migrant(event: Event) -> Event:
    return replace(event, moves=event.moves[1:]) if isinstance(event, Migrated) else event


def other_reason(event: Event) -> Event:
    if isinstance(event, RejectedEvent) and event.at == "propose":
        return replace(event, reason="empty" if event.reason != "empty" else "no_patch")
    return event


class ForeignProposal:
    """Puts one candidate's program in the place of another's."""

    def __init__(self) -> None:
        self.first: Patched | None = None

    def __call__(self, event: Event) -> Event:
        if isinstance(event, Patched) and event.ordinal > 0:
            self.first = self.first or event
            if event.ordinal > 5:
                return replace(event, program=self.first.program)
        return event


class ForeignReply:
    """Puts the text of one reply in the place of all others."""

    def __init__(self) -> None:
        self.text: TextRef | None = None

    def __call__(self, event: Event) -> Event:
        if isinstance(event, Replied):
            self.text = self.text or event.text
            return replace(event, text=self.text)
        return event


FALSE: list[tuple[str, Callable[[], Callable[[Event], Event]], Check]] = [
    ("genetic", lambda: other_parent, "choice"),
    ("genetic", lambda: other_placement, "placement"),
    ("genetic", lambda: false_best, "placement"),
    ("genetic", lambda: other_fingerprint, "fingerprint"),
    ("genetic", lambda: foreign_seen, "order"),
    ("genetic", lambda: stolen_migrant, "migration"),
    ("genetic", ForeignProposal, "proposal"),
    ("model", ForeignProposal, "proposal"),
    ("model", ForeignReply, "proposal"),
    ("model", lambda: other_reason, "proposal"),
]


@pytest.mark.parametrize(("proposers", "lie", "check"), FALSE)
@pytest.mark.parametrize("driver", DRIVERS)
def test_a_falsified_history_is_found_out(
    runs: SmallRuns, driver: str, proposers: str, lie: Callable[[], Callable[[Event], Event]], check: Check
) -> None:
    config = runs.settings(proposers, driver)
    false = asyncio.run(retold(lived(config), lie()))
    assert check in {finding.check for finding in diagnosis(false, config).findings}


@pytest.mark.parametrize("step", ["chosen", "asked", "replied", "patched", "started", "evaluated", "placed"])
def test_a_missing_event_is_found_out(runs: SmallRuns, step: str) -> None:
    config = runs.settings("both", "pipeline:ordinal")
    store = lived(config)
    victim = [event for event in events_of(store) if event.step == step][5]
    false = asyncio.run(retold(store, lambda event: None if event == victim else event))
    assert not diagnosis(false, config).healthy


def test_a_lost_end_of_an_attempt_is_found_out(runs: SmallRuns) -> None:
    config = runs.settings("model")
    store = lived(config)
    victim = next(e for e in events_of(store) if isinstance(e, RejectedEvent) and not e.final)
    false = asyncio.run(retold(store, lambda event: None if event == victim else event))
    assert not diagnosis(false, config).healthy


@pytest.mark.parametrize("damage", ["DELETE FROM texts WHERE rowid % 7 = 3", "UPDATE texts SET data = x'00'"])
def test_a_damaged_text_is_found_out(runs: SmallRuns, tmp_path: Path, damage: str) -> None:
    config, folder = runs.settings("model"), tmp_path / "run"
    evolve(TASK, config, folder=folder)
    database = sqlite3.connect(folder / DATABASE)
    with database:
        assert database.execute(damage).rowcount > 0
    database.close()
    store = open_store(folder)
    assert "text" in {finding.check for finding in diagnosis(store, config).findings}
    store.close()


def test_a_hole_in_the_numbering_is_found_out(runs: SmallRuns, tmp_path: Path) -> None:
    config, folder = runs.settings(), tmp_path / "run"
    evolve(TASK, config, folder=folder)
    database = sqlite3.connect(folder / DATABASE)
    with database:
        number = "(SELECT seq FROM events ORDER BY seq LIMIT 1 OFFSET 50)"
        assert database.execute(f"DELETE FROM events WHERE seq = {number}").rowcount == 1
    database.close()
    store = open_store(folder)
    assert "order" in {finding.check for finding in diagnosis(store, config).findings}
    store.close()


def test_looking_changes_nothing_and_asks_nobody(runs: SmallRuns) -> None:
    config = runs.settings("model")
    store = lived(config)
    before = events_of(store)
    runs.script.unlink()
    assert diagnosis(store, config).healthy
    assert events_of(store) == before


def test_other_settings_than_the_recorded_ones_do_not_explain_a_history(runs: SmallRuns) -> None:
    store = lived(runs.settings())
    assert not diagnosis(store, runs.settings(seed=4)).healthy
    assert isinstance(store, StoreReader)
