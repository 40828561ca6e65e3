from __future__ import annotations

import shutil

import numpy as np
import pytest

from speciate.experiments import load_plan, read_results
from speciate.experiments.results import Results
from speciate.testing.plans import PlanFolder


def results(plans: PlanFolder) -> Results:
    return read_results(load_plan(str(plans.path))[0], plans.jobs())


def test_a_run_is_measured_on_the_grid_of_its_budget(plans: PlanFolder) -> None:
    plans.run_here()
    told = results(plans)
    assert told.missing == ()
    assert len(told.grid) == 13
    for run in told.measured:
        assert run.stop_reason == "candidates"
        assert run.curve.shape == told.grid.shape
        assert run.curve[0] == -8.0  # the initial program: 3.5 + 4.5, minimised
        assert (np.diff(run.curve) >= 0).all()
        assert run.final == run.curve[-1]
        assert run.area == pytest.approx(run.curve.mean())
        assert run.spent == 12


def test_runs_that_are_not_there_are_missing(plans: PlanFolder) -> None:
    jobs = plans.run_here()
    shutil.rmtree(jobs[2].folder)
    jobs[3].folder.joinpath("error.txt").write_text("it broke\n")
    (jobs[3].folder / "history.sqlite").unlink()
    told = results(plans)
    assert [(one.job.key, one.state, one.reason) for one in told.missing] == [
        (jobs[2].key, "new", "it has not been run yet"),
        (jobs[3].key, "failed", "it broke"),
    ]
    assert len(told.measured) == 2


def test_a_public_metric_is_measured_instead_of_the_objective(plans: PlanFolder) -> None:
    plans.write(plans.path.read_text() + '\n[measure]\npublic = "first"\ndirection = "minimize"\nof = "any"')
    plans.run_here()
    run = results(plans).measured[0]
    assert run.curve[0] == -3.5
    assert results(plans).measures["sum"].objective.name == "first"


def test_a_metric_that_no_candidate_has_leaves_nothing(plans: PlanFolder) -> None:
    plans.write(plans.path.read_text() + '\n[measure]\npublic = "third"')
    plans.run_here()
    run = results(plans).measured[0]
    assert (run.final, run.area) == (None, None)
    plans.write(f"floor = 2.0\n{plans.path.read_text()}")
    assert results(plans).measured[0].area == 2.0


def test_simulated_models_are_known_for_what_they_are_and_their_waits_added_up(plans: PlanFolder) -> None:
    plans.change("[budget]", 'settings.models = ["simulated:careful"]\n[budget]')
    plans.change("amount = 12", "amount = 6")
    plans.change('selection.policy = "uniform"', 'driver = "pipeline"')
    plans.write(plans.path.read_text() + "settings.pipeline = { in_flight = 3, window = 6 }\n")
    plans.run_here()
    sequential, pipeline = results(plans).measured[:2]
    assert sequential.stand_ins == ("simulated:careful",)
    assert sequential.timing.virtual == pytest.approx(sequential.timing.models)
    assert pipeline.timing.virtual < pipeline.timing.models
    assert (sequential.stale, pipeline.stale > 0) == (0, True)


def test_a_guard_that_ends_a_run_before_its_budget_is_told(plans: PlanFolder) -> None:
    plans.change("[budget]", "settings.budget.evaluations = 5\n[budget]")
    plans.run_here()
    run = results(plans).measured[0]
    assert run.stop_reason == "evaluations"
    assert run.spent < 12
