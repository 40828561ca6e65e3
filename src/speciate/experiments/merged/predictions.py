"""What mixtures of proposers should cover, from what each covers alone; and which go together.

DEI (arXiv 2605.27130) claims that proposers whose proposals fall differently cover more in expectation. The
closed form is `speciate.statistics.expected_cells`; it takes every proposal for a draw of its own, which a
search is not, so the prediction stands beside what was measured.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean

import numpy as np

from speciate.experiments.merged.measures import MeasuredEnsemble
from speciate.records import Cell
from speciate.statistics import cell_distributions, diversity, expected_cells


@dataclass(frozen=True, slots=True)
class Prediction:
    """Cells that a condition should fill and did.

    Attributes:
        condition: the condition.
        proposers: who sits at its nodes, sorted; several at one node are taken for equal shares of it.
        expected: cells that so many independent proposals would reach.
        visited: cells that any of its candidates reached, mean over the seeds.
        filled: cells of its merged archive, mean over the seeds.
    """

    condition: str
    proposers: tuple[str, ...]
    expected: float
    visited: float
    filled: float


@dataclass(frozen=True, slots=True)
class Subset:
    """A set of proposers, by what they should cover together at the calls of one of them.

    Attributes:
        proposers: sorted.
        expected: cells that equal shares of the calls would reach.
        vendi: their effective number (`speciate.statistics.vendi_score`).
    """

    proposers: tuple[str, ...]
    expected: float
    vendi: float


@dataclass(frozen=True, slots=True)
class Predicted:
    """Predictions of one task.

    Attributes:
        proposers: those that some condition has alone at a single node: from these all else is predicted.
        calls: proposals of such a condition, mean over its runs.
        divergence: Jensen-Shannon divergence of each pair in bits, shape ``(proposers, proposers)``.
        predictions: of all conditions in which nobody else sits.
        subsets: all sets of two or more, by size, the widest first.
    """

    proposers: tuple[str, ...]
    calls: float
    divergence: np.ndarray
    predictions: tuple[Prediction, ...]
    subsets: tuple[Subset, ...]


def predict(runs: Sequence[MeasuredEnsemble]) -> Predicted | None:
    """Predicts conditions and sets of proposers from those that ran alone; None with fewer than two of them.

    Args:
        runs: the ensembles of one task.
    """
    alone = _alone(runs)
    if len(alone) < 2:
        return None
    names, shares = cell_distributions(
        {name: _visits(found) for name, found in alone.items()},
        {name: sum(run.proposals for run in found) for name, found in alone.items()},
    )
    if not shares.any(axis=1).all():
        return None
    calls = fmean(run.proposals for found in alone.values() for run in found)
    return Predicted(
        proposers=tuple(names),
        calls=calls,
        divergence=diversity(names, shares).divergence,
        predictions=tuple(_predictions(runs, names, shares)),
        subsets=tuple(_subsets(names, shares, calls)),
    )


def _alone(runs: Sequence[MeasuredEnsemble]) -> dict[str, list[MeasuredEnsemble]]:
    """Returns the runs of one node with one proposer, by the proposer."""
    found: dict[str, list[MeasuredEnsemble]] = {}
    for run in runs:
        seats = list(run.seats.values())
        if len(seats) == 1 and len(seats[0]) == 1:
            found.setdefault(seats[0][0], []).append(run)
    return found


def _visits(runs: Sequence[MeasuredEnsemble]) -> Mapping[Cell, int]:
    total: Counter[Cell] = Counter()
    for run in runs:
        total.update(run.visits)
    return total


def _predictions(
    runs: Sequence[MeasuredEnsemble], names: Sequence[str], shares: np.ndarray
) -> list[Prediction]:
    found = []
    for condition in dict.fromkeys(run.job.condition for run in runs):
        own = [run for run in runs if run.job.condition == condition]
        weights: defaultdict[str, float] = defaultdict(float)
        for seat in own[0].seats.values():
            for name in seat:
                weights[name] += 1 / len(seat)
        if not set(weights) <= set(names):
            continue
        each = fmean(run.proposals for run in own) / len(own[0].seats)
        found.append(
            Prediction(
                condition,
                tuple(sorted(weights)),
                expected_cells(shares, [each * weights[name] for name in names]),
                fmean(len(run.visits) for run in own),
                fmean(len(run.merged.elites) for run in own),
            )
        )
    return found


def _subsets(names: Sequence[str], shares: np.ndarray, calls: float) -> list[Subset]:
    found = []
    for size in range(2, len(names) + 1):
        for places in combinations(range(len(names)), size):
            numbers = [calls / size if place in places else 0.0 for place in range(len(names))]
            chosen = [names[place] for place in places]
            vendi = diversity(chosen, shares[list(places)]).vendi
            found.append(Subset(tuple(chosen), expected_cells(shares, numbers), vendi or 1.0))
    return sorted(found, key=lambda one: (len(one.proposers), -one.expected, one.proposers))
