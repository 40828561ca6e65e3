"""``kill -9`` within rounds, between them and while a round opens; then resume."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from speciate.engine import Evolution, Observer, RunConfig
from speciate.engine.settings import Layer
from speciate.ensembles import evolve, resume
from speciate.records import Evaluated, RoundEnded
from speciate.store import DATABASE
from speciate.testing.crashes import Moment, dies
from speciate.testing.histories import TracingEvaluator, assert_nothing_lost, assert_same_history, events_of
from speciate.testing.knobs import axes, company, knobs_program, knobs_task
from speciate.testing.runs import SmallRuns

TASK = company(knobs_task(descriptors=axes(), opponents=(knobs_program(1.0, 0.0), knobs_program(-2.0, 0.0))))
MOMENTS = {
    "an opponent planted, not evaluated": Moment("started", 2, "written"),
    "an opponent evaluated, not placed": Moment("evaluated", 2, "written"),
    "within the first round": Moment("placed", 7, "written"),
    "round ended, not stored": Moment("round_ended", 1),
    "round ended, mid-commit": Moment("round_ended", 1, "writing"),
    "round ended": Moment("round_ended", 1, "written"),
    "epoch opened, not stored": Moment("epoch_opened", 1),
    "epoch opened": Moment("epoch_opened", 1, "written"),
    "archives half refilled": Moment("evaluated", 13, "written"),
    "within the second round": Moment("chosen", 14, "written"),
    "last round ended": Moment("round_ended", 3, "written"),
}


def settings(runs: SmallRuns, driver: str) -> RunConfig:
    grid: Layer = {
        "population": {"archive": {"kind": "grid"}},
        "budget": {"candidates": 500},
        "ensemble": {"rounds": 3, "iterations": 6, "initial": 0, "archives": "round"},
    }
    return runs.settings("both", driver, grid)


class Patient:
    """A run that is killed and goes on, with an account of what was evaluated in between."""

    def __init__(self, folder: Path, config: RunConfig) -> None:
        self.folder, self.config, self.log = folder, config, folder.with_suffix(".log")

    def go_on(self, *observers: Observer) -> Evolution:
        evaluator = TracingEvaluator(TASK, log=self.log, jitter=len(observers))
        if (self.folder / DATABASE).exists():
            return resume(self.folder, task=TASK, observers=observers, evaluator=evaluator)
        return evolve(TASK, self.config, folder=self.folder, observers=observers, evaluator=evaluator)


@pytest.mark.parametrize("driver", ["sequential", "pipeline:ordinal", "pipeline:arrival"])
@pytest.mark.parametrize("moment", MOMENTS.values(), ids=MOMENTS.keys())
def test_killed_it_goes_on_as_if_nothing_had_happened(
    runs: SmallRuns, tmp_path: Path, driver: str, moment: Moment
) -> None:
    config = settings(runs, driver)
    patient = Patient(tmp_path / "run", config)
    assert dies(lambda reaper: patient.go_on(reaper), moment)
    assert patient.go_on().stop_reason == "rounds"
    events = events_of(patient.folder)
    assert [event.round for event in events if isinstance(event, RoundEnded)] == [0, 1, 2]
    if driver == "pipeline:arrival":
        assert_nothing_lost(events, candidates=18 + len(TASK.context.opponents))
    else:
        assert_same_history(events, events_of(evolve(TASK, config).store))
    measured = Counter((e.ordinal, e.part) for e in events if isinstance(e, Evaluated) and e.cached is None)
    assert max(measured.values()) == 1
    begun = len(patient.log.read_text().splitlines())
    assert begun <= len(measured) + 8  # those in flight at the moment of death, and no more


def test_a_run_stopped_by_a_cap_within_a_round_goes_on_in_it(runs: SmallRuns, tmp_path: Path) -> None:
    config = settings(runs, "sequential")
    capped = config.model_copy(update={"budget": config.budget.model_copy(update={"candidates": 9})})
    folder = tmp_path / "run"
    assert evolve(TASK, capped, folder=folder).stop_reason == "candidates"
    assert resume(folder, task=TASK, overrides=lambda _: config).stop_reason == "rounds"
    assert_same_history(events_of(folder), events_of(evolve(TASK, config).store))
