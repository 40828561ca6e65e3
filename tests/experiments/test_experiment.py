from __future__ import annotations

import sys
from pathlib import Path

import pytest

from speciate.errors import MissingExtraError, RunFolderError
from speciate.experiments import RESULTS, conclude, conduct, open_experiment
from speciate.store import FolderLock
from speciate.testing.plans import Notes, PlanFolder


def test_runs_that_are_over_are_not_run_again(plans: PlanFolder) -> None:
    plans.run_here()
    notes = Notes()
    experiment = plans.open()
    assert experiment.states() == {"done": 4}
    conduct(experiment, at_once=2, listener=notes)
    assert notes.all == []


def test_only_one_process_conducts_an_experiment(plans: PlanFolder) -> None:
    lock = FolderLock(plans.out)
    try:
        with pytest.raises(RunFolderError, match="another process"):
            conduct(plans.open(), at_once=2, listener=Notes())
    finally:
        lock.release()


def test_opening_writes_nothing(plans: PlanFolder) -> None:
    experiment = plans.open()
    assert experiment.states() == {"new": 4}
    assert not plans.out.exists()


def test_what_the_end_will_need_is_asked_for_at_the_beginning(
    plans: PlanFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "scipy", None)
    with pytest.raises(MissingExtraError, match=r"speciate\[stats\]"):
        plans.open()


def test_results_come_at_any_time(plans: PlanFolder) -> None:
    concluded = conclude(plans.open())
    assert len(concluded.results.missing) == 4
    page = (plans.out / RESULTS / "report.md").read_text()
    assert "4 of 4 runs are missing" in page
    assert "it has not been run yet" in page


def test_equal_runs_give_equal_files(plans: PlanFolder) -> None:
    plans.run_here()
    first = {path.name: path.read_bytes() for path in conclude(plans.open()).written.files}
    again = {path.name: path.read_bytes() for path in conclude(plans.open()).written.files}
    assert first == again
    assert {"report.md", "runs.csv", "curves.csv", "tables.tex", "curves-sum.png", "finals-sum.png"} <= set(
        first
    )


def test_without_a_folder_the_plan_names_it(
    plans: PlanFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert open_experiment(str(plans.path)).out == tmp_path / "experiments" / "policies"
