"""How the best score came up, as data for a curve."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from speciate.records import Objective, Ordinal, Score
from speciate.store import RunHistory


@dataclass(frozen=True, slots=True)
class Convergence:
    """One entry a closed candidate, in the order of closing; all arrays have shape ``(n,)``.

    Attributes:
        ordinals: the candidates.
        epochs: the epochs they were chosen in; scores of different epochs cannot be compared.
        scores: the first objective in the user's own direction; NaN without a score.
        best: the best score of the epoch so far, in the user's own direction; NaN as long as there is none.
        valid: valid candidates so far, this one included.
        improved: whether the candidate became the best of its epoch.
    """

    ordinals: np.ndarray
    epochs: np.ndarray
    scores: np.ndarray
    best: np.ndarray
    valid: np.ndarray
    improved: np.ndarray


@dataclass(frozen=True, slots=True)
class Milestone:
    """A share of the whole gain, and when it was reached.

    Attributes:
        share: of the gain from the first score of the last epoch to its best, 0 to 1.
        closed: candidates closed until then, counted from the start of the run.
        valid: valid candidates until then.
        score: the best score then, in the user's own direction.
        ordinal: the candidate that reached it.
    """

    share: float
    closed: int
    valid: int
    score: float
    ordinal: Ordinal


def convergence(history: RunHistory, objective: Objective) -> Convergence:
    """Returns the data of the curve.

    Args:
        history: the run.
        objective: the first objective, whose direction the scores get.
    """
    points = history.curve()
    scores = outward([point.score for point in points], objective)
    return Convergence(
        ordinals=np.array([point.ordinal for point in points], dtype=np.int64),
        epochs=np.array([point.epoch for point in points], dtype=np.int64),
        scores=scores,
        best=outward([point.best for point in points], objective),
        valid=np.cumsum(~np.isnan(scores)),
        improved=np.array([history.candidates[point.ordinal].best for point in points], dtype=bool),
    )


def milestones(
    curve: Convergence, objective: Objective, shares: Sequence[float] = (0.5, 0.9, 0.99, 1.0)
) -> Sequence[Milestone]:
    """Says when shares of the last epoch's gain were reached; empty without any gain.

    Args:
        curve: the data of the curve.
        objective: the first objective.
        shares: increasing, each above 0 and at most 1.
    """
    if not len(curve.best):
        return []
    rows = np.flatnonzero((curve.epochs == curve.epochs[-1]) & ~np.isnan(curve.best))
    if not len(rows):
        return []
    best = np.array([objective.inward(value) for value in curve.best[rows]])
    if best[-1] <= best[0]:
        return []
    reached = []
    for share in shares:
        # Weights instead of first + share · gain, because the gain of huge scores may overflow.
        goal = min(best[0] * (1 - share) + best[-1] * share, best[-1])
        row = rows[int(np.searchsorted(best, goal))]
        reached.append(
            Milestone(
                share=share,
                closed=int(row) + 1,
                valid=int(curve.valid[row]),
                score=float(curve.best[row]),
                ordinal=int(curve.ordinals[row]),
            )
        )
    return reached


def outward(scores: Sequence[Score | None], objective: Objective) -> np.ndarray:
    """Returns scores in the user's own direction, shape ``(n,)``; NaN for None."""
    return np.array([np.nan if s is None else objective.outward(s) for s in scores], dtype=np.float64)
