"""Islands that differ, and islands that open, in whole runs."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from speciate.engine import RunConfig, build_run, evolve, examine, resume
from speciate.engine.settings import Layer
from speciate.errors import ConfigError, TaskError
from speciate.records import SEEDED, Asked, Chosen, Evaluated, Event, IslandOpened, Migrated, Placed
from speciate.store import RunHistory
from speciate.testing.crashes import Moment, dies
from speciate.testing.histories import (
    TracingEvaluator,
    assert_nothing_lost,
    assert_same_history,
    events_of,
    retold,
)
from speciate.testing.knobs import INITIAL, knobs_program, knobs_task
from speciate.testing.runs import SmallRuns

TASK = knobs_task()
DRIVERS = pytest.mark.parametrize("driver", ["sequential", "pipeline:ordinal", "pipeline:arrival"])
OPENING: Layer = {
    "population": {"islands": 1, "dynamic": {"stagnation": 4, "most": 5, "seed": "random"}},
    "budget": {"candidates": 80},
}


def lived(config: RunConfig, jitter: int = 1) -> list[Event]:
    return events_of(evolve(TASK, config, evaluator=TracingEvaluator(TASK, jitter=jitter)).store)


def openings(events: list[Event]) -> list[IslandOpened]:
    return [event for event in events if isinstance(event, IslandOpened)]


@DRIVERS
def test_a_search_that_stagnates_opens_islands_and_its_history_is_true(runs: SmallRuns, driver: str) -> None:
    config = runs.settings("both", driver, OPENING)
    ended = evolve(TASK, config, evaluator=TracingEvaluator(TASK, jitter=1))
    events = events_of(ended.store)
    assert [event.island for event in openings(events)] == [1, 2, 3, 4]
    assert {event.island for event in events if isinstance(event, Chosen)} == {0, 1, 2, 3, 4}
    assert any(isinstance(event, Migrated) for event in events)
    found = asyncio.run(examine(build_run(TASK, config, ended.store, offline=True)))
    assert found.findings == ()


def test_copies_never_count_as_candidates(runs: SmallRuns) -> None:
    ended = evolve(TASK, runs.settings("genetic", "sequential", OPENING))
    events = events_of(ended.store)
    history = RunHistory(ended.store)
    assert sum(len(event.copies) for event in openings(events)) == 4
    assert_nothing_lost(events, candidates=80)
    assert history.counts().proposed == 80
    assert sum(isinstance(event, Evaluated) for event in events) == history.counts().evaluated
    for event in openings(events):
        assert all(history.candidates[ordinal].placements for ordinal, _ in event.copies)


def test_it_opens_after_as_many_candidates_without_a_new_best(runs: SmallRuns) -> None:
    events = lived(runs.settings("genetic", "sequential", OPENING))
    stale, opened = 0, 0
    for event in events:
        if isinstance(event, Placed) and event.ordinal:
            stale = 0 if event.best else stale + 1
        elif isinstance(event, IslandOpened):
            assert stale == 4
            stale, opened = 0, opened + 1
    assert opened == 4


@pytest.mark.parametrize("driver", ["sequential", "pipeline:ordinal"])
@pytest.mark.parametrize(
    "moment",
    [
        Moment("island_opened", 2),
        Moment("island_opened", 2, "writing"),
        Moment("island_opened", 2, "written"),
    ],
)
def test_killed_while_an_island_opens_the_run_goes_on_as_if_nothing_had_happened(
    runs: SmallRuns, tmp_path: Path, driver: str, moment: Moment
) -> None:
    config, folder = runs.settings("genetic", driver, OPENING), tmp_path / "run"
    assert dies(lambda reaper: evolve(TASK, config, folder=folder, observers=[reaper]), moment)
    resume(folder, task=TASK)
    assert_same_history(events_of(folder), lived(config))


def no_island(event: Event) -> Event | None:
    return None if isinstance(event, IslandOpened) else event


def other_settlers(event: Event) -> Event:
    return replace(event, copies=()) if isinstance(event, IslandOpened) else event


def no_migration(event: Event) -> Event | None:
    return None if isinstance(event, Migrated) else event


@pytest.mark.parametrize("change", [no_island, other_settlers, no_migration])
def test_falsified_islands_are_found_out(runs: SmallRuns, change: Callable[[Event], Event | None]) -> None:
    config = runs.settings("genetic", "sequential", OPENING)
    store = asyncio.run(retold(evolve(TASK, config).store, change))
    assert not asyncio.run(examine(build_run(TASK, config, store, offline=True))).healthy


def seeded(tmp_path: Path, text: str, *, notes: str = "") -> Layer:
    path = tmp_path / "own.py"
    path.write_text(text)
    return {"population": {"islands": 2, "island": [{"notes": notes}, {"initial": str(path)}]}}


def own(x: float) -> str:
    return knobs_program(x, 0.5).source


@DRIVERS
def test_an_island_begins_with_its_own_program(runs: SmallRuns, tmp_path: Path, driver: str) -> None:
    config = runs.settings("genetic", driver, seeded(tmp_path, own(5.5)))
    ended = evolve(TASK, config, evaluator=TracingEvaluator(TASK, jitter=1))
    events = events_of(ended.store)
    seed = next(event for event in events if isinstance(event, Chosen) and event.operator == SEEDED)
    placed = {event.ordinal: event for event in events if isinstance(event, Placed)}
    assert [island for island, _ in placed[0].placements] == [0]
    assert [island for island, _ in placed[seed.ordinal].placements] == [1]
    assert RunHistory(ended.store).program(seed.ordinal).source == own(5.5)
    assert RunHistory(ended.store).counts().proposed == 24
    found = asyncio.run(examine(build_run(TASK, config, ended.store, offline=True)))
    assert found.findings == ()


@pytest.mark.parametrize("nth", [1, 2, 3])
@pytest.mark.parametrize("step", ["chosen", "evaluated", "placed"])
def test_killed_while_it_is_planted_the_run_goes_on_as_if_nothing_had_happened(
    runs: SmallRuns, tmp_path: Path, step: str, nth: int
) -> None:
    config, folder = runs.settings("genetic", "sequential", seeded(tmp_path, own(5.5))), tmp_path / "run"
    assert dies(
        lambda reaper: evolve(TASK, config, folder=folder, observers=[reaper]), Moment(step, nth, "written")
    )
    resume(folder, task=TASK)
    assert_same_history(events_of(folder), lived(config))


def test_a_program_that_is_not_valid_is_no_beginning(runs: SmallRuns, tmp_path: Path) -> None:
    config = runs.settings("genetic", "sequential", seeded(tmp_path, own(99.0)))
    with pytest.raises(TaskError, match="initial program of island 1"):
        lived(config)
    allowed = config.model_copy(update={"allow_invalid_seed": True})
    assert_nothing_lost(lived(allowed), candidates=25)


def test_a_program_with_other_immutable_text_is_refused(runs: SmallRuns, tmp_path: Path) -> None:
    layer = seeded(tmp_path, INITIAL.replace('"knobs"', '"mine"'))
    with pytest.raises(ConfigError, match="island's initial program"):
        lived(runs.settings("genetic", "sequential", layer))


def test_a_program_that_is_not_there_is_refused(runs: SmallRuns, tmp_path: Path) -> None:
    layer: Layer = {"population": {"islands": 1, "island": [{"initial": str(tmp_path / "gone.py")}]}}
    with pytest.raises(ConfigError, match="cannot be read"):
        lived(runs.settings("genetic", "sequential", layer))


def test_more_described_islands_than_islands_are_refused(runs: SmallRuns) -> None:
    with pytest.raises(ConfigError, match="3 islands are described, and there are 2"):
        runs.settings("genetic", "sequential", {"population": {"island": [{}, {}, {}]}})


def test_notes_of_an_island_are_in_its_prompts_alone(runs: SmallRuns, tmp_path: Path) -> None:
    layer = seeded(tmp_path, own(5.5), notes="Think of the north.")
    history = RunHistory(evolve(TASK, runs.settings("model", "sequential", layer)).store)
    events = events_of(history.reader)
    island = {event.ordinal: event.island for event in events if isinstance(event, Chosen)}
    asked = [event for event in events if isinstance(event, Asked)]
    told = {0: 0, 1: 0}
    for event in asked:
        prompt = history.prompt(event.ordinal, event.attempt, event.part)
        noted = "# Advice\n\nThink of the north." in "".join(message.text for message in prompt)
        assert noted == (island[event.ordinal] == 0)
        told[island[event.ordinal]] += 1
    assert all(told.values())
