"""Two objectives against each other, as data for a picture."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from speciate.records import Objective
from speciate.reports.manifest import RunFacts
from speciate.store import RunHistory


@dataclass(frozen=True, slots=True)
class ParetoFront:
    """The valid candidates of the last epoch by their first two objectives; arrays of shape ``(n,)``.

    Where archives kept old scores, those of earlier epochs that still stand are among them.

    Attributes:
        x: the first objective.
        y: the second one.
        ordinals: the candidates, increasing.
        x_scores: the first objective of each, in the user's own direction.
        y_scores: the second one, likewise.
        front: whether nobody is better in one of the two and no worse in the other. Of further objectives
            nothing is said.
    """

    x: Objective
    y: Objective
    ordinals: np.ndarray
    x_scores: np.ndarray
    y_scores: np.ndarray
    front: np.ndarray


def pareto_front(history: RunHistory, facts: RunFacts) -> ParetoFront | None:
    """Returns the data of the picture, or None for a task with one objective.

    Args:
        history: the run.
        facts: its manifest.
    """
    if len(facts.spec.objectives) < 2:
        return None
    x, y = (Objective(spec.name, spec.direction) for spec in facts.spec.objectives[:2])
    scored = ((c, history.scored_in(o)) for o, c in sorted(history.candidates.items()))
    outcomes = ((c.ordinal, c.outcome_in(epoch)) for c, epoch in scored if epoch is not None)
    valid = [(o, outcome.fitness) for o, outcome in outcomes if outcome is not None and outcome.fitness]
    fitness = np.array([scores[:2] for _, scores in valid], dtype=np.float64).reshape(-1, 2)
    return ParetoFront(
        x=x,
        y=y,
        ordinals=np.array([ordinal for ordinal, _ in valid], dtype=np.int64),
        x_scores=np.array([x.outward(score) for score in fitness[:, 0]]),
        y_scores=np.array([y.outward(score) for score in fitness[:, 1]]),
        front=undominated(fitness),
    )


def undominated(fitness: np.ndarray) -> np.ndarray:
    """Says of each row whether no other is better in one column and no worse in the other.

    In the order of the first column a row must raise the best second one so far, or equal the row that did:
    n log n steps, where comparing all pairs would not do for the candidates of a long run.

    Args:
        fitness: higher is better, shape ``(n, 2)``.

    Returns:
        Booleans, shape ``(n,)``.
    """
    front = np.zeros(len(fitness), dtype=bool)
    last = (np.inf, -np.inf)
    for row in np.lexsort((-fitness[:, 1], -fitness[:, 0])):
        first, second = (float(score) for score in fitness[row])
        if second > last[1] or (first, second) == last:
            front[row] = True
            last = (first, second)
    return front
