"""From ensembles to what they say together: each measure by condition, compared, and what was predicted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from statistics import fmean, stdev

from speciate.experiments.analysis import interval_of, planned_pairs
from speciate.experiments.merged.measures import (
    MEASURES,
    EnsembleMeasure,
    MeasuredEnsemble,
    MergedResults,
    Seat,
)
from speciate.experiments.merged.predictions import Predicted, predict
from speciate.experiments.plan import Plan
from speciate.records import Objective
from speciate.statistics import Interval, Pair, compare_groups


@dataclass(frozen=True, slots=True)
class Values:
    """One measure of one condition or group.

    Attributes:
        name: of the condition or group.
        by_seed: the measure by seed; of a group the mean of its conditions, where all have it.
        mean: with its interval, None with fewer than two values.
    """

    name: str
    by_seed: Mapping[int, float]
    mean: Interval | None

    @property
    def spread(self) -> float | None:
        """Standard deviation over the seeds, None with fewer than two."""
        return stdev(self.by_seed.values()) if len(self.by_seed) > 1 else None


@dataclass(frozen=True, slots=True)
class MeasureResult:
    """What the conditions came to by one measure.

    Attributes:
        measure: which.
        values: of all conditions, then of all groups, in the plan's order.
        pairs: the planned comparisons.
        members: the baseline with each condition of a group by itself.
    """

    measure: EnsembleMeasure
    values: tuple[Values, ...]
    pairs: tuple[Pair, ...]
    members: tuple[Pair, ...]

    def of(self, name: str) -> Values:
        """Returns the values of a condition or group."""
        return next(one for one in self.values if one.name == name)


@dataclass(frozen=True, slots=True)
class Seated:
    """The nodes of one proposer, or of several that sit together, in one condition.

    Attributes:
        seat: who sits there.
        condition: in which condition.
        by_seed: mean over these nodes by seed, by the name of the measure.
    """

    seat: Seat
    condition: str
    by_seed: Mapping[str, Mapping[int, float]]


@dataclass(frozen=True, slots=True)
class Analysis:
    """What the ensembles show on one task.

    Attributes:
        task: its label.
        objective: the task's first one.
        runs: ensembles that count, by condition.
        measures: one a measure that any run has.
        seated: by proposer and condition.
        predicted: what was predicted, or None where no two proposers ran alone.
    """

    task: str
    objective: Objective
    runs: Mapping[str, Sequence[MeasuredEnsemble]]
    measures: tuple[MeasureResult, ...]
    seated: tuple[Seated, ...]
    predicted: Predicted | None


def analyse_merged(results: MergedResults) -> tuple[Analysis, ...]:
    """Returns what the ensembles show, task by task.

    Raises:
        MissingExtraError: scipy is not installed.
    """
    return tuple(_task(task, results) for task in results.objectives)


def _task(task: str, results: MergedResults) -> Analysis:
    plan = results.plan
    here = [run for run in results.measured if run.job.task == task]
    runs = {name: [run for run in here if run.job.condition == name] for name in plan.all_conditions()}
    measures = [_measure(measure, runs, plan) for measure in MEASURES]
    return Analysis(
        task,
        results.objectives[task],
        runs,
        tuple(one for one in measures if any(values.by_seed for values in one.values)),
        tuple(_seated(runs)),
        predict(here),
    )


def _measure(
    measure: EnsembleMeasure, runs: Mapping[str, Sequence[MeasuredEnsemble]], plan: Plan
) -> MeasureResult:
    found: dict[str, Mapping[int, float]] = {
        name: {run.job.seed: value for run in own if (value := measure.of(run)) is not None}
        for name, own in runs.items()
    }
    for group, members in plan.groups.items():
        found[group] = _mean_of([found[name] for name in members])
    grouped = [name for members in plan.groups.values() for name in members]
    alone = [(plan.baseline, name) for name in grouped] if plan.baseline else []
    return MeasureResult(
        measure,
        tuple(
            Values(
                name,
                by_seed,
                interval_of(list(by_seed.values()), "mean", f"{measure.name} of {name}", plan),
            )
            for name, by_seed in found.items()
        ),
        compare_groups(found, planned_pairs(plan), test=plan.test, confidence=plan.confidence),
        compare_groups(
            found,
            [(first or "", second) for first, second in alone],
            test=plan.test,
            confidence=plan.confidence,
        ),
    )


def _mean_of(members: Sequence[Mapping[int, float]]) -> dict[int, float]:
    """Returns the mean by seed, of the seeds that all members have."""
    common = sorted(set.intersection(*(set(one) for one in members)))
    return {seed: fmean(one[seed] for one in members) for seed in common}


def _seated(runs: Mapping[str, Sequence[MeasuredEnsemble]]) -> list[Seated]:
    seats = dict.fromkeys(seat for own in runs.values() for run in own for seat in run.seats.values())
    found = []
    for seat, (condition, own) in product(seats, runs.items()):
        if not any(seat in run.seats.values() for run in own):
            continue
        by_seed = {
            measure.name: {
                run.job.seed: value
                for run in own
                if (value := measure.of_nodes(run.nodes_of(seat))) is not None
            }
            for measure in MEASURES
            if measure.by_node is not None
        }
        found.append(Seated(seat, condition, by_seed))
    return found
