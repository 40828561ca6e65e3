"""The results of an experiment as tables for people, and as values for a command to print."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from speciate.experiments.analysis import ConditionResult, TaskResult
from speciate.experiments.plan import Plan
from speciate.records import Dollars, Objective, Score, Seconds
from speciate.reports import Table, dollars, exact, number, outward_interval, pairs_table
from speciate.statistics import Interval


@dataclass(frozen=True, slots=True)
class ConditionSummary:
    """What one condition came to on one task, in the user's own direction. None where too few runs count.

    Attributes:
        task: the task's label.
        condition: the condition's name.
        runs: how many runs count.
        median_final: median final score.
        median_final_low: lower end of its interval.
        median_final_high: upper end.
        mean_area: mean area under the curve.
        mean_area_low: lower end of its interval.
        mean_area_high: upper end.
        virtual_seconds: median of how long a run would have taken by what its models declared.
        cost_usd: dollars of all runs together, or None when a price is unknown.
    """

    task: str
    condition: str
    runs: int
    median_final: Score | None
    median_final_low: Score | None
    median_final_high: Score | None
    mean_area: Score | None
    mean_area_low: Score | None
    mean_area_high: Score | None
    virtual_seconds: Seconds
    cost_usd: Dollars | None


def summary_of(task: TaskResult, one: ConditionResult) -> ConditionSummary:
    """Sums up one condition."""
    low, median, high = outward_interval(one.final, task.objective)
    area_low, area, area_high = outward_interval(one.area, task.objective)
    if median is None and one.finals:
        median = task.objective.outward(float(np.median(list(one.finals.values()))))
    if area is None and one.areas:
        area = task.objective.outward(float(np.mean(list(one.areas.values()))))
    return ConditionSummary(
        task=task.task,
        condition=one.name,
        runs=one.runs,
        median_final=median,
        median_final_low=low,
        median_final_high=high,
        mean_area=area,
        mean_area_low=area_low,
        mean_area_high=area_high,
        virtual_seconds=one.virtual,
        cost_usd=one.cost,
    )


def result_tables(task: TaskResult, plan: Plan) -> tuple[Table, ...]:
    """Returns the tables of one task: conditions, final scores compared, areas compared."""
    correction = _correction(plan)
    found = (
        conditions_table(task, plan),
        pairs_table(
            task.finals, task.objective, f"{task.task}, final scores: {correction}", alpha=plan.alpha
        ),
        pairs_table(
            task.areas, task.objective, f"{task.task}, areas under the curve: {correction}", alpha=plan.alpha
        ),
    )
    return tuple(table for table in found if table is not None)


def _correction(plan: Plan) -> str:
    interval = f"with its {plan.confidence:.0%} interval"
    if plan.pairing == "seeds":
        return (
            f"median of the differences seed by seed {interval}, chance A that a run of the first beats that "
            "of the second with the same seed, p of a two-sided Wilcoxon test before and after Holm's "
            "correction."
        )
    return (
        f"difference of medians {interval}, chance A that a run of the first beats one of the second, p of a "
        "two-sided Mann-Whitney test before and after Holm's correction."
    )


def conditions_table(task: TaskResult, plan: Plan) -> Table:
    """Returns one row a condition, in the user's own direction."""
    better = "higher" if task.objective.direction == "maximize" else "lower"
    rows = []
    for one in task.conditions:
        best = max(one.finals.values(), default=None)
        best_words = "–" if best is None else exact(task.objective.outward(best))
        final = interval_words(one.final, one.finals, task.objective)
        area = interval_words(one.area, one.areas, task.objective)
        spent = (f"{one.stale:g}", f"{one.virtual:.0f}", dollars(one.cost))
        rows.append((one.name, str(one.runs), final, area, best_words, *spent))
    return Table(
        f"{task.task}: {task.objective.name} ({better} is better) after {number(plan.budget.amount)} "
        f"{plan.budget.unit}; median final score and mean area under the curve with {plan.confidence:.0%} "
        "bootstrap intervals, best of all runs, median staleness, seconds by what the models declare, cost "
        "of all runs.",
        ("condition", "runs ", "median final ", "mean area ", "best ", "stale ", "virtual s ", "cost "),
        tuple(rows),
    )


def interval_words(interval: Interval | None, scores: Mapping[int, Score], objective: Objective) -> str:
    """Returns an estimate with its interval; the one score there is, without; or a dash."""
    low, middle, high = outward_interval(interval, objective)
    if middle is None or low is None or high is None:
        return ", ".join(f"{objective.outward(score):.6g}" for score in scores.values()) or "–"
    return f"{middle:.6g} [{low:.6g}, {high:.6g}]"
