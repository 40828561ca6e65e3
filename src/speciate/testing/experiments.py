"""Results of experiments made of numbers, for tests of what is done with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

import numpy as np

from speciate.engine import RunConfig
from speciate.experiments import BudgetPlan, ConditionConfig, Job, Measured, Missing, Plan, Results
from speciate.experiments.results import Timing
from speciate.records import Direction, Objective
from speciate.reports import Measure, Summary, summarise
from speciate.testing.stories import Story


class Numbers:
    """Final scores by condition, higher is better; None is a run that is missing.

    Every run scores 0 at the beginning of a budget of one candidate.

    Args:
        named: scores by condition, for names that Python takes for no argument.
        stand_ins: stand-ins for models that take part in every run.
        stop: which cap ends every run.
        rescored: whether the scoring changes from seed to seed.
        finals: scores by condition, one a seed.
    """

    def __init__(
        self,
        named: Mapping[str, Sequence[float | None]] | None = None,
        /,
        *,
        stand_ins: tuple[str, ...] = (),
        stop: str = "candidates",
        rescored: bool = False,
        **finals: Sequence[float | None],
    ) -> None:
        self._stand_ins = stand_ins
        self._stop = stop
        self._rescored = rescored
        self._finals = {**(named or {}), **finals}

    def results(
        self,
        *,
        pairing: Literal["none", "seeds"] = "none",
        crossed: bool = False,
        direction: Direction = "maximize",
    ) -> Results:
        """Returns the results.

        Args:
            pairing: as in a plan.
            crossed: whether the conditions are those of two factors, named ``level+level``.
            direction: of the objective; scores stay as they are kept, higher is better.
        """
        measured: list[Measured] = []
        missing: list[Missing] = []
        for condition, scores in self._finals.items():
            for seed, score in enumerate(scores):
                job = Job("toy", "toy", condition, seed, None, RunConfig(), Path("nowhere"))
                if score is None:
                    missing.append(Missing(job, "failed", "it broke"))
                else:
                    measured.append(self._measured(job, score))
        measures = {"toy": Measure(Objective("length", direction))}
        return Results(
            self._plan(pairing, crossed), np.arange(2.0), measures, tuple(measured), tuple(missing)
        )

    def _evaluator(self, job: Job) -> str:
        return f"scoring of seed {job.seed}" if self._rescored else "scoring"

    def _plan(self, pairing: Literal["none", "seeds"], crossed: bool) -> Plan:
        names = list(self._finals)
        levels = {0: {name.split("+")[0] for name in names}, 1: {name.split("+")[-1] for name in names}}
        factors = {f"factor{k}": {name: ConditionConfig() for name in sorted(levels[k])} for k in levels}
        return Plan(
            name="numbers",
            tasks=("toy",),
            seeds=max(map(len, self._finals.values())),
            budget=BudgetPlan(amount=1),
            pairing=pairing,
            conditions={} if crossed else {name: ConditionConfig() for name in names},
            factors=factors if crossed else {},
        )

    def _measured(self, job: Job, score: float) -> Measured:
        curve = np.array([0.0, score])
        return Measured(
            job=job,
            stop_reason=self._stop,
            curve=curve,
            final=score,
            area=float(curve.mean()),
            spent=1.0,
            summary=_summary(job.seed),
            stale=0.0,
            stand_ins=self._stand_ins,
            timing=Timing(2.0, 1.0, 0.0, 0.0, 1, "0.1.0", self._evaluator(job)),
        )


def _summary(seed: int) -> Summary:
    """Returns the summary of a run of one candidate."""
    told = Story().begin()
    told.scores(told.choose(), 0.0)
    told.scores(told.choose(), 1.0)
    return replace(summarise(told.history), seed=seed)
