"""Curves over the candidates of a run, and what several runs have in common."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from speciate.records import Score


@dataclass(frozen=True, slots=True)
class Band:
    """Quartiles of several curves at each position, each of shape ``(n,)``, higher is better.

    NaN where not every curve has a value yet.
    """

    low: np.ndarray
    median: np.ndarray
    high: np.ndarray


def best_so_far(scores: Sequence[Score | None]) -> np.ndarray:
    """Returns the best score up to each candidate, shape ``(n,)``; NaN before the first valid one.

    Args:
        scores: one a candidate, in order; higher is better; None for a candidate without a score.
    """
    values = np.array([-np.inf if score is None else score for score in scores], dtype=float)
    best = np.maximum.accumulate(values)
    return np.where(np.isneginf(best), np.nan, best)


def on_grid(positions: np.ndarray, curve: np.ndarray, grid: np.ndarray) -> np.ndarray:
    """Returns a step curve at other positions: at each the last value reached until then, shape ``(g,)``.

    Args:
        positions: where the curve takes its values, not decreasing, shape ``(n,)``.
        curve: the values, shape ``(n,)``.
        grid: where it is wanted, shape ``(g,)``; NaN before the first position.
    """
    at = np.searchsorted(positions, grid, side="right") - 1
    return np.where(at < 0, np.nan, np.append(curve, np.nan)[at])


def area_under_curve(curve: np.ndarray, *, floor: Score) -> float:
    """Returns the mean of a best-so-far curve: early progress counts for longer. In units of the score.

    Args:
        curve: shape ``(n,)``, n at least 1, as `best_so_far` gives it.
        floor: what counts before the first valid candidate, for example the initial program's score.

    Raises:
        ValueError: the curve is empty.
    """
    if curve.size == 0:
        raise ValueError("a curve without candidates has no area")
    filled = np.where(np.isnan(curve), floor, curve)
    with np.errstate(over="ignore"):
        mean = float(np.mean(filled))
    # The sum of huge scores may overflow where their mean does not.
    return mean if math.isfinite(mean) else float(np.sum(filled / filled.size))


def band(curves: Sequence[np.ndarray]) -> Band:
    """Returns median and quartiles over runs, position by position.

    Args:
        curves: one a run, all of the same length, that is of the same budget.

    Raises:
        ValueError: there is no curve, or they differ in length.
    """
    lengths = {len(curve) for curve in curves}
    if len(lengths) != 1:
        raise ValueError(f"curves are compared at one budget, got lengths {sorted(lengths)}")
    with np.errstate(over="ignore", invalid="ignore"):  # between huge scores
        low, median, high = np.quantile(np.stack(curves), [0.25, 0.5, 0.75], axis=0)
    return Band(low, median, high)
