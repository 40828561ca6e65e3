"""Draws how the score came up."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from speciate.records import Objective
from speciate.reports.canvas import axis_label, draw_figure, drawable
from speciate.reports.convergence import Convergence
from speciate.reports.pictures.shared import DOT, LINE, dot, limits, tell_hidden

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_convergence(curve: Convergence, objective: Objective, title: str, path: Path) -> None:
    """Draws scores and the best so far over the candidates.

    Args:
        curve: the data.
        objective: the first objective.
        title: what was run.
        path: the PNG file to write.

    Raises:
        MissingExtraError: matplotlib is not installed.
        OSError: the file cannot be written.
    """

    def draw(axes: Axes) -> None:
        place = np.arange(1, len(curve.best) + 1)
        valid = ~np.isnan(curve.scores)
        scores, bests = drawable(curve.scores[valid]), drawable(curve.best)
        axes.scatter(
            place[valid],
            scores,
            s=dot(int(valid.sum())),
            color=DOT,
            linewidths=0,
            label="valid candidate",
        )
        for epoch in np.unique(curve.epochs):
            best = np.where(curve.epochs == epoch, bests, np.nan)
            axes.step(
                place, best, where="post", color=LINE, linewidth=1.8, label=None if epoch else "best so far"
            )
        axes.set(xlabel="candidates closed", ylabel=axis_label(objective), title=title)
        _zoom(axes, scores, bests[~np.isnan(bests)], objective)
        axes.legend(loc="lower right" if objective.direction == "maximize" else "upper right")

    draw_figure(draw, path)


def _zoom(axes: Axes, scores: np.ndarray, best: np.ndarray, objective: Objective) -> None:
    """Fits the axis to the better part of the scores: a few disasters must not flatten the curve."""
    if not best.size:
        return
    low, high = limits(scores, best, objective)
    axes.set_ylim(low, high)
    tell_hidden(axes, (scores < low) | (scores > high))
