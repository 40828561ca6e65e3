"""How the best came up with what was spent: the curves that runs at an equal budget are compared by."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from speciate.errors import UsageError
from speciate.records import Objective, Outcome, Score
from speciate.store import Candidate, RunHistory

Unit = Literal["candidates", "evaluations", "tokens", "cost"]
"""What a budget is counted in. Planted programs are free; what failed and was turned away is not."""

_MOST_POINTS = 200


@dataclass(frozen=True, slots=True)
class Measure:
    """What runs are compared by.

    Attributes:
        objective: its name and direction.
        public: whether it is a public metric of that name, rather than the task's first objective.
        incumbent: what counts as the value of a run: True takes the metric of the best candidate by the first
            objective, which is what a user would take home; False the best value of the metric among all
            valid candidates. For the first objective both are the same.
    """

    objective: Objective
    public: bool = False
    incumbent: bool = True

    def of(self, outcome: Outcome | None) -> Score | None:
        """Returns the value of an outcome, higher is better; None if it has none."""
        if outcome is None or outcome.result is None:
            return None
        if not self.public:
            return outcome.result.objectives[0]
        value = outcome.result.public.get(self.objective.name)
        if value is None or isinstance(value, str) or not math.isfinite(value):
            return None
        return self.objective.inward(float(value))


@dataclass(frozen=True, slots=True)
class BudgetCurve:
    """The best so far over what was spent, one entry a closed candidate, in the order of closing.

    Attributes:
        spent: what had been spent once the candidate was closed, shape ``(n,)``, never decreasing.
        best: the measure's value of the run so far, higher is better, shape ``(n,)``; NaN while there is
            none.
    """

    spent: np.ndarray
    best: np.ndarray

    @property
    def total(self) -> float:
        """All that was spent."""
        return float(self.spent[-1]) if self.spent.size else 0.0


def budget_curve(history: RunHistory, measure: Measure, unit: Unit) -> BudgetCurve:
    """Returns the data of the curve.

    Raises:
        UsageError: the run has several epochs, whose scores are of different company, or its costs are asked
            for and not known.
    """
    if history.epoch:
        raise UsageError(
            f"this run has {history.epoch + 1} epochs, each in a company of its own: their scores make no "
            "single curve"
        )
    closed = [history.candidates[point.ordinal] for point in history.curve()]
    spent = np.cumsum([_spent(candidate, unit) for candidate in closed], dtype=float)
    return BudgetCurve(spent, _best(closed, measure))


def budget_grid(amount: float) -> np.ndarray:
    """Returns where curves of one budget are compared: positions from 0 to `amount`, shape ``(g,)``."""
    whole = amount == int(amount) and amount <= _MOST_POINTS
    return np.linspace(0.0, amount, (int(amount) if whole else _MOST_POINTS) + 1)


def _best(closed: list[Candidate], measure: Measure) -> np.ndarray:
    best, curve = np.nan, np.empty(len(closed))
    for place, candidate in enumerate(closed):
        value = measure.of(candidate.outcome)
        if measure.public and measure.incumbent:
            if candidate.best:  # it became the best by the first objective, whatever its metric says
                best = np.nan if value is None else value
        elif value is not None:
            best = np.fmax(best, value)
        curve[place] = best
    return curve


def _spent(candidate: Candidate, unit: Unit) -> float:
    if candidate.choice.planted:
        return 0.0
    usage = candidate.usage + candidate.aside + candidate.queries
    match unit:
        case "candidates":
            return 1.0
        case "evaluations":
            return 0.0 if candidate.outcome is None else float(candidate.outcome.evaluations)
        case "tokens":
            return float(usage.input_tokens + usage.output_tokens)
        case "cost":
            if usage.cost is None:
                raise UsageError(
                    "this run asked a model of unknown price, so it has no curve over dollars: compare by "
                    "candidates, evaluations or tokens"
                )
            return usage.cost
