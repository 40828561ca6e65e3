from __future__ import annotations

import os
import signal
import threading
import time
from contextlib import closing
from pathlib import Path

import pytest

from speciate.experiments import run_jobs, state_of
from speciate.store import RunHistory, open_reader
from speciate.testing.plans import Notes, PlanFolder


def closed(folder: Path) -> int:
    with closing(open_reader(folder)) as reader:
        return RunHistory(reader).counts().closed


def test_one_broken_run_does_not_end_the_others(plans: PlanFolder) -> None:
    jobs = plans.jobs()[:3]
    jobs[1].folder.mkdir(parents=True)
    (jobs[1].folder / "history.sqlite").write_text("this is no database, and longer than any header " * 9)
    notes = Notes()
    run_jobs(jobs, at_once=2, listener=notes)
    assert [state_of(job.folder) for job in jobs] == ["done", "failed", "done"]
    assert [closed(job.folder) for job in (jobs[0], jobs[2])] == [13, 13]
    (error,) = [one.error for one in notes.all if one.error]
    assert "database" in error
    assert (jobs[1].folder / "error.txt").read_text().strip() == error
    (jobs[1].folder / "history.sqlite").unlink()  # mended: it gets another try, and the error is forgotten
    run_jobs([jobs[1]], at_once=1, listener=notes)
    assert state_of(jobs[1].folder) == "done"
    assert not (jobs[1].folder / "error.txt").exists()


def test_what_goes_on_is_told_now_and_then(plans: PlanFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("speciate.experiments.runner.PULSE_SECONDS", 0.05)
    notes = Notes()
    run_jobs(plans.jobs()[:1], at_once=1, listener=notes)
    assert notes.seen == {plans.jobs()[0].key}


def test_a_killed_process_is_named_and_its_run_goes_on(plans: PlanFolder) -> None:
    plans.slow_down(0.05)
    plans.change("amount = 12", "amount = 40")
    first, second = plans.jobs()[:2]
    notes = Notes()
    with in_its_middle(first.folder, signal.SIGKILL):
        run_jobs([first, second], at_once=1, listener=notes)
    (killed, other) = notes.all
    assert (killed.job.key, killed.state, other.state) == (first.key, "failed", "done")
    assert killed.error is not None
    assert "signal 9 (SIGKILL)" in killed.error
    assert state_of(first.folder) == "half"
    run_jobs([first], at_once=1, listener=notes)
    assert (state_of(first.folder), closed(first.folder)) == ("done", 41)
    with closing(open_reader(first.folder)) as reader:
        assert len(reader.sessions()) == 2


def test_an_interrupt_stops_what_runs_in_order_and_starts_nothing_more(plans: PlanFolder) -> None:
    plans.slow_down(0.05)
    plans.change("amount = 12", "amount = 40\n[settings.evaluation]\ntrusted_threads = true")
    jobs = plans.jobs()
    with in_its_middle(jobs[0].folder, signal.SIGINT, os.getpid()), pytest.raises(KeyboardInterrupt):
        run_jobs(jobs, at_once=1, listener=Notes())
    assert [state_of(job.folder) for job in jobs] == ["half", "new", "new", "new"]
    with closing(open_reader(jobs[0].folder)) as reader:
        assert [session.stop_reason for session in reader.sessions()] == ["interrupted"]


class in_its_middle:  # noqa: N801 -- reads as a clause
    """Sends a signal once a run has closed a few candidates: to the process that holds it, or to another."""

    def __init__(self, folder: Path, number: signal.Signals, process: int | None = None) -> None:
        self._thread = threading.Thread(target=self._watch, args=(folder, number, process))
        self.sent = False

    def _watch(self, folder: Path, number: signal.Signals, process: int | None) -> None:
        for _ in range(3000):
            time.sleep(0.02)
            if (folder / "history.sqlite").exists() and state_of(folder) == "half" and closed(folder) >= 3:
                os.kill(process or int((folder / "lock").read_text()), number)
                self.sent = True
                return

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._thread.join()
        assert self.sent, "the run was over before it could be met"
