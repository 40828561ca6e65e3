"""An experiment that is killed, by ``kill -9`` and in its middle, goes on and comes to the same tables."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

from speciate.experiments import conclude, open_experiment, state_of
from speciate.experiments.worker import Request, perform
from speciate.reports import is_held
from speciate.store import RunHistory, open_reader
from speciate.testing.plans import PlanFolder

TABLES = ("runs.csv", "curves.csv", "comparisons.csv", "report.md", "tables.tex", "tables.html")


def start(plans: PlanFolder) -> subprocess.Popen[bytes]:
    words = ["-m", "speciate", "experiment", str(plans.path), "--out", str(plans.out), "--jobs", "2"]
    return subprocess.Popen([sys.executable, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def until_in_its_middle(folder: Path) -> int:
    """Waits until a run has closed a few candidates; returns the process that holds it."""
    for _ in range(3000):
        time.sleep(0.02)
        if (folder / "history.sqlite").exists() and state_of(folder) == "half":
            with closing(open_reader(folder)) as reader:
                if RunHistory(reader).counts().closed >= 3:
                    return int((folder / "lock").read_text())
    raise AssertionError("the run never got to its middle")


def gone(process: int) -> bool:
    """Waits until a process is gone."""
    for _ in range(1500):
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.02)
    return False


def test_killed_in_the_middle_and_gone_on_with_it_comes_to_the_same_tables(plans: PlanFolder) -> None:
    plans.slow_down(0.03)
    plans.change("amount = 12", "amount = 40")
    plans.change("seeds = 2", "seeds = 1")
    first = plans.jobs()[0].folder
    with start(plans) as experiment:
        worker = until_in_its_middle(first)
        experiment.kill()
    assert gone(worker)
    assert not is_held(first)
    assert state_of(first) == "half"
    with start(plans) as again:
        assert again.wait(120) == 0
    assert [state_of(job.folder) for job in plans.jobs()] == ["done"] * 2
    with closing(open_reader(first)) as reader:
        assert len(reader.sessions()) == 2

    undisturbed = open_experiment(str(plans.path), out=plans.folder / "undisturbed")
    for job in undisturbed.jobs:
        perform(Request.of(job))
    conclude(undisturbed)
    for name in TABLES:
        killed, whole = plans.out / "results" / name, undisturbed.out / "results" / name
        assert killed.read_bytes() == whole.read_bytes(), name
