"""From runs to what they say together: medians, bands, tests, and what was not shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np

from speciate.experiments.plan import Plan
from speciate.experiments.results import Measured, Results
from speciate.records import Objective, Score
from speciate.seeds import stream
from speciate.statistics import (
    Band,
    Interval,
    Pair,
    Statistic,
    band,
    bootstrap_interval,
    compare_groups,
    contrast_interval,
)


@dataclass(frozen=True, slots=True)
class ConditionResult:
    """What the runs of one condition came to. Scores are higher-is-better.

    Attributes:
        name: the condition.
        finals: final score by seed; runs that never had one are left out.
        areas: area under the curve by seed, likewise.
        runs: how many runs count.
        final: median of the final scores with its interval, None with fewer than two.
        area: mean area under the curve with its interval, None with fewer than two.
        curves: quartiles of the curves over the grid, or None without runs.
        virtual: median of how long the runs would have taken by what their models declared, in seconds.
        stale: median staleness.
        cost: dollars of all runs together, or None when a price is unknown.
    """

    name: str
    finals: Mapping[int, Score]
    areas: Mapping[int, Score]
    runs: int
    final: Interval | None
    area: Interval | None
    curves: Band | None
    virtual: float
    stale: float
    cost: float | None


@dataclass(frozen=True, slots=True)
class Interaction:
    """Whether two factors of two levels each do together what they do apart.

    Attributes:
        factors: their names.
        effect: (a1b1 − a1b2) − (a2b1 − a2b2) of the mean final scores, higher is better.
    """

    factors: tuple[str, str]
    effect: Interval


@dataclass(frozen=True, slots=True)
class TaskResult:
    """What an experiment shows on one task.

    Attributes:
        task: its label.
        objective: what is compared.
        conditions: the conditions in the plan's order.
        finals: final scores compared.
        areas: areas under the curve compared.
        interaction: of a plan with two factors of two levels; None for others, or with too few runs.
    """

    task: str
    objective: Objective
    conditions: tuple[ConditionResult, ...]
    finals: tuple[Pair, ...]
    areas: tuple[Pair, ...]
    interaction: Interaction | None


def analyse(results: Results) -> tuple[TaskResult, ...]:
    """Returns what the runs show, task by task.

    Raises:
        MissingExtraError: scipy is not installed.
    """
    return tuple(_task(task, results) for task in results.measures)


def planned_pairs(plan: Plan) -> list[tuple[str, str]]:
    """Returns which conditions and groups are compared: the plan's pairs if it names any, else all with the
    baseline if there is one, else every pair."""
    if plan.pairs:
        return list(plan.pairs)
    names = plan.compared()
    if plan.baseline is None:
        return list(combinations(names, 2))
    return [(plan.baseline, name) for name in names if name != plan.baseline]


def _task(task: str, results: Results) -> TaskResult:
    plan = results.plan
    here = [run for run in results.measured if run.job.task == task]
    conditions = tuple(
        _condition(name, [run for run in here if run.job.condition == name], plan)
        for name in plan.all_conditions()
    )
    finals = {one.name: one.finals for one in conditions}
    areas = {one.name: one.areas for one in conditions}
    return TaskResult(
        task=task,
        objective=results.measures[task].objective,
        conditions=conditions,
        finals=compare_groups(finals, planned_pairs(plan), test=plan.test, confidence=plan.confidence),
        areas=compare_groups(areas, planned_pairs(plan), test=plan.test, confidence=plan.confidence),
        interaction=_interaction(conditions, plan),
    )


def _condition(name: str, runs: Sequence[Measured], plan: Plan) -> ConditionResult:
    finals = {run.job.seed: run.final for run in runs if run.final is not None}
    areas = {run.job.seed: run.area for run in runs if run.area is not None}
    costs = [run.cost for run in runs]
    known = [cost for cost in costs if cost is not None]
    return ConditionResult(
        name=name,
        finals=finals,
        areas=areas,
        runs=len(runs),
        final=interval_of(list(finals.values()), "median", f"final {name}", plan),
        area=interval_of(list(areas.values()), "mean", f"area {name}", plan),
        curves=band([run.curve for run in runs]) if runs else None,
        virtual=float(np.median([run.timing.virtual for run in runs])) if runs else 0.0,
        stale=float(np.median([run.stale for run in runs])) if runs else 0.0,
        cost=sum(known) if len(known) == len(costs) else None,
    )


def interval_of(values: Sequence[Score], statistic: Statistic, purpose: str, plan: Plan) -> Interval | None:
    """Returns an estimate with its interval, or None with fewer than two values.

    Args:
        values: one a run.
        statistic: what is estimated.
        purpose: names the resampling.
        plan: says how sure.
    """
    if len(values) < 2:
        return None
    rng = stream(0, 0, purpose)
    return bootstrap_interval(values, rng=rng, statistic=statistic, confidence=plan.confidence)


def _interaction(conditions: Sequence[ConditionResult], plan: Plan) -> Interaction | None:
    if len(plan.factors) != 2 or any(len(levels) != 2 for levels in plan.factors.values()):
        return None
    first, second = plan.factors
    groups = [
        list(one.finals.values()) for one in conditions
    ]  # in the order of `product`: a1b1, a1b2, a2b1, a2b2
    assert len(groups) == len(list(product(*plan.factors.values())))
    if min(len(group) for group in groups) < 2:
        return None
    rng = stream(0, 0, f"interaction of {first} and {second}")
    effect = contrast_interval(groups, [1, -1, -1, 1], rng=rng, statistic="mean", confidence=plan.confidence)
    return Interaction((first, second), effect)
