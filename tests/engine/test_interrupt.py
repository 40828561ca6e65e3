"""Ctrl-C once: what has begun is finished. Twice: stop now. Either way the run can be resumed."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from typing_extensions import override

from speciate.engine import Observer, RunConfig, evolve, resume
from speciate.records import Event
from speciate.store import open_reader
from speciate.testing.histories import TracingEvaluator, assert_nothing_lost, assert_same_history, events_of
from speciate.testing.knobs import knobs_task
from speciate.testing.runs import SmallRuns

TASK = knobs_task()


class CtrlC(Observer):
    """Presses Ctrl-C at certain events, counted from 1."""

    def __init__(self, *at: int) -> None:
        self.at = at
        self.count = 0
        self.told: list[str] = []

    @override
    def on_event(self, event: Event) -> None:
        self.count += 1
        if self.count in self.at:
            os.kill(os.getpid(), signal.SIGINT)

    @override
    def on_stop(self, reason: str) -> None:
        self.told.append(reason)


def interrupted(folder: Path, config: RunConfig, *at: int) -> str:
    keys = CtrlC(*at)
    evaluator = TracingEvaluator(TASK, jitter=1)
    ended = evolve(TASK, config, folder=folder, observers=[keys], evaluator=evaluator, signals=True)
    assert keys.told
    return ended.stop_reason


@pytest.mark.parametrize("at", [1, 40, 77])
@pytest.mark.parametrize("driver", ["sequential", "pipeline:ordinal", "pipeline:arrival"])
def test_once_finishes_what_has_begun_and_the_resumed_run_equals_the_undisturbed_one(
    runs: SmallRuns, tmp_path: Path, driver: str, at: int
) -> None:
    config, folder = runs.settings("both", driver), tmp_path / "run"
    assert interrupted(folder, config, at) == "interrupted"
    events = events_of(folder)
    begun = {e.ordinal for e in events if e.step == "chosen"}
    ended = {e.ordinal for e in events if e.step == "evaluated" or (e.step == "rejected" and e.final)}
    assert begun == ended
    assert resume(folder, task=TASK).stop_reason == "candidates"
    assert_nothing_lost(events_of(folder), candidates=24)
    if driver != "pipeline:arrival":
        assert_same_history(events_of(folder), events_of(evolve(TASK, config).store))


@pytest.mark.parametrize("driver", ["sequential", "pipeline:ordinal", "pipeline:arrival"])
def test_twice_stops_now_and_the_resumed_run_equals_the_undisturbed_one(
    runs: SmallRuns, tmp_path: Path, driver: str
) -> None:
    config, folder = runs.settings("both", driver), tmp_path / "run"
    runs.script.write_text(runs.script.read_text().replace('"delay": 0.0', '"delay": 0.002'))
    with pytest.raises(KeyboardInterrupt):
        interrupted(folder, config, 30, 33)
    before = len(events_of(folder))
    assert before < 60
    resume(folder, task=TASK)
    assert_nothing_lost(events_of(folder), candidates=24)
    if driver != "pipeline:arrival":
        assert_same_history(events_of(folder), events_of(evolve(TASK, config).store))


def test_the_session_says_why_it_ended(runs: SmallRuns, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    interrupted(folder, runs.settings(), 20)
    resume(folder, task=TASK)
    reader = open_reader(folder)
    assert [session.stop_reason for session in reader.sessions()] == ["interrupted", "candidates"]
    reader.close()


def test_ctrl_c_means_what_it_always_meant_after_the_run(runs: SmallRuns, tmp_path: Path) -> None:
    before = signal.getsignal(signal.SIGINT)
    interrupted(tmp_path / "run", runs.settings(), 20)
    assert signal.getsignal(signal.SIGINT) is before


def test_a_run_that_never_waits_hears_it_before_the_next_candidate_but_one(
    runs: SmallRuns, tmp_path: Path
) -> None:
    config = runs.settings("genetic", "sequential", {"budget": {"candidates": 300}})
    folder, keys = tmp_path / "run", CtrlC(60)
    ended = evolve(TASK, config, folder=folder, observers=[keys], signals=True)
    assert ended.stop_reason == "interrupted"
    events = events_of(folder)
    pressed = events[59].ordinal
    assert max(event.ordinal for event in events) <= pressed + 2
