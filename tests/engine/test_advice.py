"""The scratchpad in whole runs: the same whatever the timing, through crashes and caps, and found true."""

from __future__ import annotations

import asyncio
import os
import signal
from dataclasses import replace
from pathlib import Path

import pytest
from typing_extensions import override

from speciate.engine import Evolution, Observer, RunConfig, build_run, evolve, examine, resume
from speciate.engine.settings import Layer, compose
from speciate.records import (
    WITHOUT_ADVICE,
    ArmsChanged,
    Asked,
    Chosen,
    Event,
    Message,
    Noted,
    Replied,
    aside,
)
from speciate.store import MemoryStore, RunHistory, open_store
from speciate.testing.crashes import Moment, dies, live_through_deaths
from speciate.testing.histories import (
    TracingEvaluator,
    assert_nothing_lost,
    assert_same_history,
    events_of,
    retold,
)
from speciate.testing.keepers import write_keeper
from speciate.testing.knobs import PRIVATE, knobs_task
from speciate.testing.runs import SmallRuns

TASK = knobs_task()
DRIVERS = pytest.mark.parametrize("driver", ["sequential", "pipeline:ordinal", "pipeline:arrival"])
ORDERED = pytest.mark.parametrize("driver", ["sequential", "pipeline:ordinal"])


class Notebooks:
    """Settings of small runs with a scratchpad."""

    def __init__(self, folder: Path) -> None:
        self.runs = SmallRuns(folder)
        self.script = folder / "keeper.jsonl"
        self.keeper = write_keeper(self.script)

    def settings(self, driver: str = "sequential", proposers: str = "both", *more: Layer) -> RunConfig:
        pad: Layer = {
            "scratchpad": {"enabled": True, "model": self.keeper, "interval": 5, "trial": 2, "retire": 5}
        }
        return self.runs.settings(proposers, driver, {"budget": {"candidates": 40}}, pad, *more)


@pytest.fixture
def books(tmp_path: Path) -> Notebooks:
    return Notebooks(tmp_path)


def lived(config: RunConfig, jitter: int = 1) -> Evolution:
    return evolve(TASK, config, evaluator=TracingEvaluator(TASK, jitter=jitter))


def notes(events: list[Event]) -> list[Noted]:
    return [event for event in events if isinstance(event, Noted)]


def chosen(events: list[Event]) -> list[Chosen]:
    return [event for event in events if isinstance(event, Chosen) and event.operator != "initial"]


@ORDERED
def test_timing_makes_no_difference(books: Notebooks, driver: str) -> None:
    config = books.settings(driver, "model", {"budget": {"candidates": 100}})
    undisturbed = events_of(lived(config).store)
    assert {note.kind for note in notes(undisturbed)} == {"summaries", "insights", "recommendations"}
    assert any(note.error for note in notes(undisturbed))
    assert any(note.dropped for note in notes(undisturbed))
    write_keeper(books.script, delays=(0.0, 0.03, 0.004))
    assert_same_history(undisturbed, events_of(lived(config, jitter=2).store))


@DRIVERS
def test_its_history_is_found_true(books: Notebooks, driver: str) -> None:
    ended = lived(books.settings(driver))
    found = asyncio.run(examine(build_run(TASK, ended.config, ended.store, offline=True)))
    assert found.findings == ()


def test_other_words_other_numbers_and_missing_notes_are_found_out(books: Notebooks) -> None:
    ended = lived(books.settings())

    def other_words(event: Event) -> Event:
        lines = ((1, "listen to me"),)
        return replace(event, lines=lines) if isinstance(event, Noted) and event.lines else event

    def other_advice(event: Event) -> Event:
        return replace(event, advice=1) if isinstance(event, Chosen) and event.advice == 0 else event

    def none_noted(event: Event) -> Event | None:
        return None if isinstance(event, Noted) else event

    for change, check in ((other_words, "advice"), (other_advice, "choice"), (none_noted, "advice")):
        store = asyncio.run(retold(ended.store, change))
        found = asyncio.run(examine(build_run(TASK, ended.config, store, offline=True)))
        assert check in {finding.check for finding in found.findings}


def test_only_prompts_of_models_get_advice_and_some_go_without(books: Notebooks) -> None:
    config = books.settings("sequential", "both", {"budget": {"candidates": 120}})
    events = chosen(events_of(lived(config).store))
    first = next(event.ordinal for event in events if event.advice is not None)
    model = [e for e in events if e.proposer != "genetic" and e.ordinal >= first]
    assert all(event.advice is None for event in events if event.proposer == "genetic")
    without = sum(event.advice == WITHOUT_ADVICE for event in model)
    assert 0.08 < without / len(model) < 0.35  # 0.2 of about sixty
    assert len({event.advice for event in model}) > 3


def prompts(history: RunHistory, event: Asked) -> list[Message]:
    return history.prompt(event.ordinal, event.attempt, event.part)


def test_a_prompt_holds_what_was_advised_when_it_was_chosen(books: Notebooks) -> None:
    history = RunHistory(lived(books.settings("pipeline:ordinal", "model")).store)
    events = events_of(history.reader)
    texts = {number: text for note in notes(events) for number, text in note.lines if not _insights(note)}
    advice = {event.ordinal: event.advice for event in chosen(events)}
    asked = [event for event in events if isinstance(event, Asked) and not aside(event)]
    told = 0
    for event in asked:
        text = "".join(message.text for message in prompts(history, event))
        number = advice[event.ordinal]
        assert ("# Advice" in text) == bool(number)
        if number:
            told += 1
            assert texts[number] in text
    assert told > 5


def _insights(note: Noted) -> bool:
    return note.kind != "recommendations"


def test_the_keeper_sees_no_private_metric(books: Notebooks) -> None:
    history = RunHistory(lived(books.settings()).store)
    calls = [event for event in events_of(history.reader) if isinstance(event, Asked) and aside(event)]
    texts = ["".join(message.text for message in prompts(history, event)) for event in calls]
    assert any("## Program" in text for text in texts)
    assert not any(PRIVATE in text or "123456789" in text for text in texts)


def test_the_first_model_keeps_it_where_nobody_else_is_named(books: Notebooks) -> None:
    config = books.settings("sequential", "model")
    config = config.model_copy(
        update={"scratchpad": config.scratchpad.model_copy(update={"model": None, "interval": 10})}
    )
    calls = [event for event in events_of(lived(config).store) if isinstance(event, Asked) and aside(event)]
    assert {event.model for event in calls} == {books.runs.model}


def test_where_nobody_reads_advice_there_is_no_scratchpad(books: Notebooks) -> None:
    events = events_of(lived(books.settings("sequential", "genetic")).store)
    assert notes(events) == []
    assert not any(isinstance(event, Asked) for event in events)


def test_its_calls_are_billed_to_the_run_and_to_no_proposer(books: Notebooks) -> None:
    history = RunHistory(lived(books.settings()).store)
    replies = [event for event in events_of(history.reader) if isinstance(event, Replied)]
    kept = sum(event.usage.calls for event in replies if aside(event))
    assert kept == history.aside.usage.calls > 10
    assert history.counts().usage.calls == sum(event.usage.calls for event in replies)
    proposers = sum(tally.usage.calls for tally in history.proposers().values())
    assert proposers == history.counts().usage.calls - kept


MOMENTS = {
    "keeper asked": Moment("asked", 1, "written"),
    "keeper replied, not stored": Moment("replied", 1),
    "keeper replied": Moment("replied", 2, "written"),
    "noted, not stored": Moment("noted", 2),
    "noted, mid-commit": Moment("noted", 3, "writing"),
    "noted": Moment("noted", 3, "written"),
}


@ORDERED
@pytest.mark.parametrize("moment", MOMENTS.values(), ids=MOMENTS.keys())
def test_killed_while_it_is_kept_the_run_goes_on_as_if_nothing_had_happened(
    books: Notebooks, tmp_path: Path, driver: str, moment: Moment
) -> None:
    config, folder = books.settings(driver), tmp_path / "run"
    assert dies(lambda reaper: _begin(config, folder, reaper), moment)
    resume(folder, task=TASK)
    assert_same_history(events_of(folder), events_of(lived(config).store))


@DRIVERS
def test_killed_many_times_in_a_row_nothing_is_lost_or_asked_twice(
    books: Notebooks, tmp_path: Path, driver: str
) -> None:
    config, folder = books.settings(driver), tmp_path / "run"
    events = live_through_deaths(TASK, config, folder)
    assert_nothing_lost(events, candidates=40)
    if driver != "pipeline:arrival":
        assert_same_history(events, events_of(lived(config).store))


def _begin(config: RunConfig, folder: Path, reaper: Observer) -> None:
    evolve(TASK, config, folder=folder, observers=[reaper])


@DRIVERS
def test_a_cap_that_forbids_its_calls_stops_the_run_and_a_higher_one_lets_it_go_on(
    books: Notebooks, tmp_path: Path, driver: str
) -> None:
    # One try a call: near a cap there is no room for a second one, and the history would tell.
    once: Layer = {"llm": {"retry": {"attempts": 1}}}
    config, folder = books.settings(driver, "both", once), tmp_path / "run"
    undisturbed = events_of(lived(config).store)
    for calls in range(6, 60, 5):
        capped = compose([{"budget": {"calls": calls}}], base=config)
        ended = _go_on(capped, folder)
        if ended.stop_reason != "calls":
            break
    assert calls > 30
    resume(folder, task=TASK, overrides=lambda _: config)
    events = events_of(folder)
    assert_nothing_lost(events, candidates=40)
    if driver == "sequential":
        assert_same_history(events, undisturbed)


def _go_on(config: RunConfig, folder: Path) -> Evolution:
    if folder.exists():
        return resume(folder, task=TASK, overrides=lambda _: config)
    return evolve(TASK, config, folder=folder)


@DRIVERS
@pytest.mark.parametrize(("first", "then"), [("genetic", "both"), ("both", "genetic")])
def test_it_is_kept_from_when_a_model_joins_until_none_is_left(
    books: Notebooks, tmp_path: Path, driver: str, first: str, then: str
) -> None:
    config, folder = books.settings(driver, first), tmp_path / "run"
    evolve(TASK, config, folder=folder)
    more = compose([{"budget": {"candidates": 80}}], base=books.settings(driver, then))
    resume(folder, task=TASK, overrides=lambda _: more)
    events = events_of(folder)
    updates = [note.update for note in notes(events)]
    assert max(updates) == 8  # every five of forty candidates
    changed = next(n for n, event in enumerate(events) if isinstance(event, ArmsChanged))
    noted = [n for n, event in enumerate(events) if isinstance(event, Noted)]
    assert all((n > changed) == (first == "genetic") for n in noted)
    store = open_store(folder)
    assert asyncio.run(examine(build_run(TASK, config, store, offline=True))).findings == ()
    store.close()


class CtrlC(Observer):
    """Presses Ctrl-C when the keeper is asked for the nth time."""

    def __init__(self, nth: int) -> None:
        self.left = nth

    @override
    def on_event(self, event: Event) -> None:
        if isinstance(event, Asked) and aside(event):
            self.left -= 1
            if self.left == 0:
                os.kill(os.getpid(), signal.SIGINT)


@ORDERED
@pytest.mark.parametrize("nth", [1, 5, 9])
def test_interrupted_while_it_is_kept_the_run_goes_on_as_if_nothing_had_happened(
    books: Notebooks, tmp_path: Path, driver: str, nth: int
) -> None:
    config, folder = books.settings(driver), tmp_path / "run"
    ended = evolve(TASK, config, folder=folder, observers=[CtrlC(nth)], signals=True)
    assert ended.stop_reason == "interrupted"
    assert resume(folder, task=TASK).stop_reason == "candidates"
    assert_same_history(events_of(folder), events_of(lived(config).store))


def test_a_run_in_memory_ends_with_what_its_last_candidates_taught(books: Notebooks) -> None:
    ended = lived(books.settings("pipeline:ordinal"))
    assert isinstance(ended.store, MemoryStore)
    assert max(note.update for note in notes(events_of(ended.store))) == 8  # 40 candidates, every 5
