"""Wordings of the system prompt in whole runs: the same whatever the timing, through crashes, found true."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from speciate.engine import Evolution, Observer, RunConfig, build_run, evolve, examine, resume
from speciate.engine.settings import Layer
from speciate.errors import ConfigError
from speciate.mutation import prompt_for
from speciate.records import ArmsChanged, Asked, Chosen, Event, Replied, Reworded, aside
from speciate.store import RunHistory, open_store
from speciate.tasks import Prompt
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
from speciate.testing.wordings import write_reworder

TASK = knobs_task()
DRIVERS = pytest.mark.parametrize("driver", ["sequential", "pipeline:ordinal", "pipeline:arrival"])
ORDERED = pytest.mark.parametrize("driver", ["sequential", "pipeline:ordinal"])
EVENLY = {"default": 1, "other_algorithm": 1, "motivated": 1, "structural": 1, "parametric": 1}


class Wordy:
    """Settings of small runs whose system prompt evolves, with all phrasings and a scratchpad beside it."""

    def __init__(self, folder: Path) -> None:
        self.runs = SmallRuns(folder)
        self.script = folder / "reworder.jsonl"
        self.reworder = write_reworder(self.script)
        self.keeper = write_keeper(folder / "keeper.jsonl")

    def settings(self, driver: str = "sequential", proposers: str = "both", *more: Layer) -> RunConfig:
        words: Layer = {
            "scratchpad": {"enabled": True, "model": self.keeper, "interval": 6, "trial": 2, "retire": 5},
            "prompts": {
                "full": dict(EVENLY),
                "evolve": {
                    "enabled": True, "proposer": self.reworder, "interval": 6, "size": 3, "trial": 2
                },
            },
        }  # fmt: skip
        return self.runs.settings(proposers, driver, {"budget": {"candidates": 48}}, words, *more)


@pytest.fixture
def wordy(tmp_path: Path) -> Wordy:
    return Wordy(tmp_path)


def lived(config: RunConfig, jitter: int = 1) -> Evolution:
    return evolve(TASK, config, evaluator=TracingEvaluator(TASK, jitter=jitter))


def updates(events: list[Event]) -> list[Reworded]:
    return [event for event in events if isinstance(event, Reworded)]


def proposed(events: list[Event]) -> dict[int, Chosen]:
    return {e.ordinal: e for e in events if isinstance(e, Chosen) and e.operator != "initial"}


@ORDERED
def test_timing_makes_no_difference(wordy: Wordy, driver: str) -> None:
    config = wordy.settings(driver, "model", {"budget": {"candidates": 100}})
    undisturbed = events_of(lived(config).store)
    assert any(event.error for event in updates(undisturbed))
    assert any(event.retired for event in updates(undisturbed))
    write_reworder(wordy.script, delays=(0.0, 0.03, 0.004))
    assert_same_history(undisturbed, events_of(lived(config, jitter=2).store))


@DRIVERS
def test_its_history_is_found_true(wordy: Wordy, driver: str) -> None:
    ended = lived(wordy.settings(driver))
    assert updates(events_of(ended.store))
    found = asyncio.run(examine(build_run(TASK, ended.config, ended.store, offline=True)))
    assert found.findings == ()


def test_other_words_other_draws_and_missing_updates_are_found_out(wordy: Wordy) -> None:
    ended = lived(wordy.settings())

    def other_words(event: Event) -> Event:
        return replace(event, text="Listen to me.") if isinstance(event, Reworded) and event.text else event

    def other_wording(event: Event) -> Event:
        return replace(event, wording=0) if isinstance(event, Chosen) and event.wording else event

    def other_phrasing(event: Event) -> Event:
        phrased = isinstance(event, Chosen) and event.phrasing == "structural"
        return replace(event, phrasing="parametric") if isinstance(event, Chosen) and phrased else event

    def none_noted(event: Event) -> Event | None:
        return None if isinstance(event, Reworded) else event

    changes = {
        other_words: "wording",
        other_wording: "choice",
        other_phrasing: "choice",
        none_noted: "advice",
    }
    for change, check in changes.items():
        store = asyncio.run(retold(ended.store, change))
        found = asyncio.run(examine(build_run(TASK, ended.config, store, offline=True)))
        assert check in {finding.check for finding in found.findings}, change


def test_each_model_is_shown_the_wording_and_asked_in_the_phrasing_of_its_choice(wordy: Wordy) -> None:
    history = RunHistory(lived(wordy.settings("pipeline:ordinal", "model")).store)
    events = events_of(history.reader)
    texts = {event.number: event.text for event in updates(events)}
    own = prompt_for(TASK, "system").render({})
    choices, shown = proposed(events), Counter[str]()
    for event in events:
        if not isinstance(event, Asked) or aside(event):
            continue
        choice = choices[event.ordinal]
        system, user, *_ = history.prompt(event.ordinal, event.attempt, event.part)
        assert system.text.startswith(texts[choice.wording] if choice.wording else f"{own}\n\n# Task")
        assert ("holds whatever stands above" in system.text) == bool(choice.wording)
        rebuilt = "Rebuild the current program" in user.text
        assert rebuilt == (choice.phrasing == "structural")
        shown.update([f"wording {choice.wording}", choice.phrasing])
    assert {"wording 0", "wording 1", "wording 2", *EVENLY} <= set(shown)


def test_genetic_operators_read_no_wording_and_have_no_phrasing(wordy: Wordy) -> None:
    for event in proposed(events_of(lived(wordy.settings()).store)).values():
        assert (event.wording is None) == (event.proposer == "genetic")
        assert event.phrasing == "default" or event.operator == "full"


def test_whoever_varies_wordings_sees_no_private_metric(wordy: Wordy) -> None:
    history = RunHistory(lived(wordy.settings()).store)
    calls = [e for e in events_of(history.reader) if isinstance(e, Asked) and aside(e) == "wordings"]
    texts = ["".join(m.text for m in history.prompt(e.ordinal, e.attempt, e.part)) for e in calls]
    assert any("## Program" in text for text in texts)
    assert not any(PRIVATE in text or "123456789" in text for text in texts)


def test_off_by_default_a_run_asks_as_it_always_did(wordy: Wordy) -> None:
    events = events_of(lived(wordy.runs.settings("model")).store)
    assert updates(events) == []
    assert {(e.phrasing, e.wording) for e in proposed(events).values()} == {("default", None)}


def test_its_calls_are_billed_to_the_run_and_to_no_proposer(wordy: Wordy) -> None:
    history = RunHistory(lived(wordy.settings()).store)
    replies = [event for event in events_of(history.reader) if isinstance(event, Replied)]
    kept = sum(event.usage.calls for event in replies if aside(event))
    assert any(aside(event) == "wordings" for event in replies)
    assert kept == history.aside.usage.calls
    proposers = sum(tally.usage.calls for tally in history.proposers().values())
    assert proposers == history.counts().usage.calls - kept


MOMENTS: Mapping[str, Moment] = {
    "reworded, not stored": Moment("reworded", 2),
    "reworded, mid-commit": Moment("reworded", 3, "writing"),
    "reworded": Moment("reworded", 3, "written"),
    "noted before it": Moment("noted", 3, "written"),
}


@ORDERED
@pytest.mark.parametrize("moment", MOMENTS.values(), ids=MOMENTS.keys())
def test_killed_while_wordings_change_the_run_goes_on_as_if_nothing_had_happened(
    wordy: Wordy, tmp_path: Path, driver: str, moment: Moment
) -> None:
    config, folder = wordy.settings(driver), tmp_path / "run"
    assert dies(lambda reaper: _begin(config, folder, reaper), moment)
    resume(folder, task=TASK)
    assert_same_history(events_of(folder), events_of(lived(config).store))


@DRIVERS
def test_killed_many_times_in_a_row_nothing_is_lost_or_asked_twice(
    wordy: Wordy, tmp_path: Path, driver: str
) -> None:
    config, folder = wordy.settings(driver), tmp_path / "run"
    events = live_through_deaths(TASK, config, folder)
    assert_nothing_lost(events, candidates=48)
    if driver != "pipeline:arrival":
        assert_same_history(events, events_of(lived(config).store))


def _begin(config: RunConfig, folder: Path, reaper: Observer) -> None:
    evolve(TASK, config, folder=folder, observers=[reaper])


@ORDERED
@pytest.mark.parametrize(("first", "then"), [("genetic", "both"), ("both", "genetic")])
def test_wordings_evolve_from_when_a_model_joins_until_none_is_left(
    wordy: Wordy, tmp_path: Path, driver: str, first: str, then: str
) -> None:
    config, folder = wordy.settings(driver, first), tmp_path / "run"
    evolve(TASK, config, folder=folder)
    more = wordy.settings(driver, then, {"budget": {"candidates": 96}})
    resume(folder, task=TASK, overrides=lambda _: more)
    events = events_of(folder)
    changed = next(n for n, event in enumerate(events) if isinstance(event, ArmsChanged))
    noted = [n for n, event in enumerate(events) if isinstance(event, Reworded)]
    assert noted
    assert all((n > changed) == (first == "genetic") for n in noted)
    store = open_store(folder)
    assert asyncio.run(examine(build_run(TASK, config, store, offline=True))).findings == ()
    store.close()


def test_phrasings_that_a_task_would_silence_are_refused(wordy: Wordy) -> None:
    own = replace(TASK, prompts={"full": Prompt("full", 1, "Mine: {{answer}} {{rules}}")})
    with pytest.raises(ConfigError, match="brings its own prompt for full rewrites"):
        evolve(own, wordy.settings())
