"""What the runs of an experiment came to, one value a run. Reads their histories and decides nothing."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass

import numpy as np

from speciate.engine import makespan
from speciate.errors import SpeciateError
from speciate.experiments.jobs import Job, measure_of
from speciate.experiments.plan import Plan
from speciate.experiments.runner import State, error_of, state_of
from speciate.records import Dollars, Score, Seconds
from speciate.reports import (
    Measure,
    RunFacts,
    Summary,
    artificial,
    budget_curve,
    budget_grid,
    read_facts,
    staleness,
    summarise,
)
from speciate.statistics import area_under_curve, on_grid
from speciate.store import RunHistory, open_reader


@dataclass(frozen=True, slots=True)
class Timing:
    """What depends on the machine, and is therefore kept apart from the results.

    Attributes:
        wall: wall time of all sessions.
        evaluations: wall time of all evaluations, added up.
        models: seconds that all model calls took or, where simulated, declared.
        virtual: when the last candidate would have been placed, had all waited as long as their models' calls
            took or declared, and evaluations cost no time.
        sessions: how many.
        version: the speciate that began it.
        evaluator: identity of the task's scoring, empty where it was not recorded.
    """

    wall: Seconds
    evaluations: Seconds
    models: Seconds
    virtual: Seconds
    sessions: int
    version: str
    evaluator: str


@dataclass(frozen=True, slots=True)
class Measured:
    """A run that can be counted: it spent its budget or another cap ended it. Scores are higher-is-better.

    Attributes:
        job: what was run.
        stop_reason: which cap ended it.
        curve: the measure's best at the positions of the grid, shape ``(g,)``; NaN while there is none.
        final: the best at the budget's end, or None if there is none.
        area: mean of the curve, or None where it has gaps and the plan names no floor.
        spent: what was spent, in the budget's unit.
        summary: counts, costs and archives.
        stale: median of how many candidates were chosen and not placed when another was chosen.
        stand_ins: proposers and models that only stand in for real ones.
        timing: what depends on the machine.
    """

    job: Job
    stop_reason: str
    curve: np.ndarray
    final: Score | None
    area: Score | None
    spent: float
    summary: Summary
    stale: float
    stand_ins: tuple[str, ...]
    timing: Timing

    @property
    def cost(self) -> Dollars | None:
        """Dollars of all model calls, or None when a price is unknown."""
        return self.summary.cost


@dataclass(frozen=True, slots=True)
class Missing:
    """A run that cannot be counted.

    Attributes:
        job: what should have run.
        state: how far it is.
        reason: why it is missing.
    """

    job: Job
    state: State
    reason: str


@dataclass(frozen=True, slots=True)
class Results:
    """All runs of an experiment.

    Attributes:
        plan: what was planned.
        grid: positions of the curves, from 0 to the budget, shape ``(g,)``.
        measures: what is compared, by the task's label.
        measured: the runs that count, in the order of the jobs.
        missing: the runs that do not.
    """

    plan: Plan
    grid: np.ndarray
    measures: dict[str, Measure]
    measured: tuple[Measured, ...]
    missing: tuple[Missing, ...]


def read_results(plan: Plan, jobs: Sequence[Job]) -> Results:
    """Reads what the runs came to.

    Args:
        plan: the plan.
        jobs: its runs.

    Raises:
        TaskError: a task cannot be loaded.
        StoreError: a finished run's history cannot be read.
    """
    grid = budget_grid(plan.budget.amount)
    measures = {task: measure_of(plan, job.load()) for task, job in {job.task: job for job in jobs}.items()}
    measured: list[Measured] = []
    missing: list[Missing] = []
    for job in jobs:
        state = state_of(job.folder)
        if state == "done":
            try:
                measured.append(_measure(job, plan, grid, measures[job.task]))
            except SpeciateError as error:
                missing.append(Missing(job, "failed", str(error)))
        else:
            missing.append(Missing(job, state, why_missing(job, state)))
    return Results(plan, grid, measures, tuple(measured), tuple(missing))


def _measure(job: Job, plan: Plan, grid: np.ndarray, measure: Measure) -> Measured:
    with closing(open_reader(job.folder)) as reader:
        history, facts = RunHistory(reader), read_facts(reader)
        summary = summarise(history, folder=job.folder)
        curve = budget_curve(history, measure, plan.budget.unit)
        on = on_grid(curve.spent, curve.best, grid)
        last = float(on[-1])
        return Measured(
            job=job,
            stop_reason=summary.stop_reason or "",
            curve=on,
            final=None if np.isnan(last) else last,
            area=_area(on, plan, measure),
            spent=curve.total,
            summary=summary,
            stale=staleness(history).quantile(0.5) or 0.0,
            stand_ins=tuple(artificial(history, summary)),
            timing=_timing(history, facts, summary),
        )


def _area(curve: np.ndarray, plan: Plan, measure: Measure) -> float | None:
    if not np.isnan(curve).any():
        return area_under_curve(curve, floor=0.0)
    return None if plan.floor is None else area_under_curve(curve, floor=measure.objective.inward(plan.floor))


def _timing(history: RunHistory, facts: RunFacts, summary: Summary) -> Timing:
    waits = [c.model_seconds for _, c in sorted(history.candidates.items()) if not c.choice.planted]
    return Timing(
        wall=summary.seconds,
        evaluations=summary.counts.evaluation_seconds,
        models=summary.counts.model_seconds,
        virtual=_virtual(waits, facts),
        sessions=len(history.reader.sessions()),
        version=facts.version,
        evaluator=facts.evaluator or "",
    )


def _virtual(waits: Sequence[Seconds], facts: RunFacts) -> Seconds:
    pipeline = facts.config.get("pipeline")
    if facts.config.get("driver") == "sequential" or not isinstance(pipeline, dict):
        return makespan(waits)
    in_flight, window = int(str(pipeline["in_flight"])), int(str(pipeline["window"]))
    # In the order of arrival nobody waits for a turn.
    return makespan(
        waits, in_flight=in_flight, window=window if pipeline["order"] == "ordinal" else len(waits)
    )


def why_missing(job: Job, state: State) -> str:
    """Returns why a run does not count."""
    match state:
        case "new":
            return "it has not been run yet"
        case "half":
            return "it was cut short, and goes on when the experiment does"
        case _:
            return error_of(job.folder) or "its set-up broke"
