"""Several runs side by side, at an equal budget. Data only; `compare_page` words and draws it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np

from speciate.errors import UsageError
from speciate.records import Json, Objective, Score
from speciate.reports.manifest import RunFacts, read_facts
from speciate.reports.remarks import artificial
from speciate.reports.settings_apart import Difference, decisive, differences, groups, label, last_settings
from speciate.reports.spending import BudgetCurve, Measure, Unit, budget_curve, budget_grid
from speciate.reports.summary import Summary, summarise
from speciate.reports.words import number
from speciate.statistics import Pair, compare_groups, on_grid
from speciate.store import RunHistory, open_reader

_MOST_NAMED = 3
"""Groups are named by the settings that set them apart, up to so many of them."""

SHARES = (0.25, 0.5, 1.0)
"""Shares of the equal budget at which scores are told."""


@dataclass(frozen=True, slots=True)
class ComparedRun:
    """One of the runs.

    Attributes:
        name: its folder as it was given.
        facts: its manifest.
        settings: complete settings: those it began with, and over them what its last session set.
        changed: keys in which later sessions had other settings than it began with, its caps left out.
        summary: its summary.
        curve: the best over what was spent.
        stand_ins: proposers and models that only stand in for real ones.
    """

    name: str
    facts: RunFacts
    settings: Mapping[str, Json]
    changed: tuple[str, ...]
    summary: Summary
    curve: BudgetCurve
    stand_ins: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """Runs whose settings are equal but for the seed.

    Attributes:
        name: what sets them apart.
        runs: their places among all runs.
        scores: their scores at the equal budget, higher is better; runs without one are left out.
    """

    name: str
    runs: tuple[int, ...]
    scores: tuple[Score, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """What several runs of one task come to.

    Attributes:
        objective: the first objective.
        unit: what the budget is counted in.
        budget: the largest that all runs have spent.
        grid: positions up to it, shape ``(g,)``.
        runs: the runs, in the given order.
        curves: the best of each run at the positions, higher is better, shape ``(runs, g)``; NaN for none.
        differences: the settings that are not the same in all runs.
        groups: the runs by their settings.
        pairs: groups compared, as far as all groups have two runs or more.
        remarks: what a reader must know, one sentence each.
    """

    objective: Objective
    unit: Unit
    budget: float
    grid: np.ndarray
    runs: tuple[ComparedRun, ...]
    curves: np.ndarray
    differences: tuple[Difference, ...]
    groups: tuple[Group, ...]
    pairs: tuple[Pair, ...]
    remarks: tuple[str, ...]

    def at(self, run: int, share: float) -> float | None:
        """Returns a run's best at a share of the equal budget in the user's own direction; None for none."""
        return _outward(float(on_grid(self.grid, self.curves[run], np.array([share * self.budget]))[0]), self)

    def final(self, run: int) -> float | None:
        """Returns a run's best at its own end, in the user's own direction; None for none."""
        best = self.runs[run].curve.best
        return _outward(float(best[-1]), self) if best.size else None


def compare_runs(folders: Sequence[Path], unit: Unit = "candidates") -> Comparison:
    """Compares runs of one task, also while they go on.

    Args:
        folders: two runs or more.
        unit: what the equal budget is counted in.

    Raises:
        UsageError: there are fewer than two, they are of different tasks, or they make no curve over `unit`.
        StoreError: a history cannot be read.
        MissingExtraError: groups of several runs are there to be tested, and scipy is not installed.
    """
    if len(folders) < 2:
        raise UsageError("a comparison needs two runs or more")
    objective = _one_task(folders)
    runs = tuple(_read(folder, unit) for folder in folders)
    budget = min(run.curve.total for run in runs)
    grid = budget_grid(budget)
    curves = np.stack([on_grid(run.curve.spent, run.curve.best, grid) for run in runs])
    apart = differences([run.settings for run in runs])
    kinds = groups(apart, len(runs))
    found = tuple(_group(number, places, apart, curves) for number, places in enumerate(kinds, start=1))
    pairs = _pairs(found)
    return Comparison(
        objective=objective,
        unit=unit,
        budget=budget,
        grid=grid,
        runs=runs,
        curves=curves,
        differences=apart,
        groups=found,
        pairs=pairs,
        remarks=_remarks(runs, found, budget, unit),
    )


def _read(folder: Path, unit: Unit) -> ComparedRun:
    with closing(open_reader(folder)) as reader:
        history, facts = RunHistory(reader), read_facts(reader)
        summary = summarise(history, folder=folder)
        try:
            curve = budget_curve(history, Measure(facts.objective), unit)
        except UsageError as error:
            raise UsageError(f"{folder}: {error}") from error
        settings = last_settings(facts.config, reader.sessions())
        return ComparedRun(
            name=str(folder),
            facts=facts,
            settings=settings,
            changed=tuple(one.key for one in decisive(differences([facts.config, settings]))),
            summary=summary,
            curve=curve,
            stand_ins=tuple(artificial(history, summary)),
        )


def _one_task(folders: Sequence[Path]) -> Objective:
    """Returns the objective of all runs; their histories are not read yet, which may take long."""
    found = {}
    for folder in folders:
        with closing(open_reader(folder)) as reader:
            facts = read_facts(reader)
        found[folder] = facts.spec.name, facts.objective
    if len(set(found.values())) > 1:
        named = ", ".join(
            f"{name}, {one.direction} {one.name} ({folder})" for folder, (name, one) in found.items()
        )
        raise UsageError(f"only runs of one task and objective can be compared, these are of {named}")
    return next(iter(found.values()))[1]


def _group(number: int, places: tuple[int, ...], apart: Sequence[Difference], curves: np.ndarray) -> Group:
    last = [float(curves[place, -1]) for place in places]
    name = label(apart, places[0]) if len(decisive(apart)) <= _MOST_NAMED else f"settings {number}"
    return Group(name, places, tuple(score for score in last if not np.isnan(score)))


def _pairs(found: Sequence[Group]) -> tuple[Pair, ...]:
    if len(found) < 2 or min(len(group.scores) for group in found) < 2:
        return ()
    return compare_groups(
        {group.name: dict(enumerate(group.scores)) for group in found},
        list(combinations([group.name for group in found], 2)),
    )


def _remarks(
    runs: Sequence[ComparedRun], found: Sequence[Group], budget: float, unit: Unit
) -> tuple[str, ...]:
    remarks = []
    spent = sorted({run.curve.total for run in runs})
    if len(spent) > 1:
        remarks.append(
            f"The runs did not spend the same: {number(spent[0])} to {number(spent[-1])} {unit}. They are "
            f"compared at what all have spent, {number(budget)} {unit}; scores at their ends are not at an "
            "equal budget."
        )
    if len({repr(sorted(run.facts.parameters.items())) for run in runs}) > 1:
        remarks.append("The task's parameters were not the same, so the scores are not of one kind.")
    if len({run.facts.evaluator for run in runs}) > 1:
        remarks.append("The runs were not scored by the same code, so their scores are not of one kind.")
    if names := sorted({name for run in runs for name in run.stand_ins}):
        remarks.append(
            f"Stand-ins for models took part ({', '.join(names)}): this says nothing about real models."
        )
    if not budget:
        remarks.append(f"At least one run has spent nothing, counted in {unit}: there is no equal budget.")
    if len({run.facts.version for run in runs}) > 1:
        remarks.append("The runs were begun by different versions of speciate.")
    remarks += [
        f"{run.name} went on with other settings ({', '.join(run.changed)}): the last ones are shown."
        for run in runs
        if run.changed
    ]
    if going := [run.name for run in runs if run.summary.status != "finished"]:
        remarks.append(f"Not finished: {', '.join(going)}.")
    alone = [group.name for group in found if len(group.runs) < 2]
    if len(found) > 1 and alone:
        remarks.append(
            "Not shown: that any of the settings is better than another. Of some settings there is only one "
            "run, and another seed may turn the order around: an experiment runs several."
        )
    return tuple(remarks)


def _outward(score: float, comparison: Comparison) -> float | None:
    return None if np.isnan(score) else comparison.objective.outward(score)
