"""Draws two objectives against each other."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from speciate.reports.canvas import axis_label, draw_figure, drawable
from speciate.reports.pareto import ParetoFront
from speciate.reports.pictures.shared import DOT, PATH, dot, limits, tell_hidden

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_pareto(found: ParetoFront, title: str, path: Path) -> None:
    """Draws the valid candidates by two objectives, and which of them nobody dominates.

    Args:
        found: the data, at least one candidate.
        title: what was run.
        path: the PNG file to write.

    Raises:
        MissingExtraError: matplotlib is not installed.
        OSError: the file cannot be written.
    """

    def draw(axes: Axes) -> None:
        x, y, front = drawable(found.x_scores), drawable(found.y_scores), found.front
        size = dot(len(x))
        axes.scatter(x[~front], y[~front], s=size, color=DOT, linewidths=0, label="valid candidate")
        order = np.argsort(x[front], kind="stable")
        axes.plot(
            x[front][order],
            y[front][order],
            "o",
            color=PATH,
            markersize=4,
            label=f"not dominated ({int(front.sum())})",
        )
        axes.set(xlabel=axis_label(found.x), ylabel=axis_label(found.y), title=title)
        low, high = limits(x, x[front], found.x)
        bottom, top = limits(y, y[front], found.y)
        axes.set(xlim=(low, high), ylim=(bottom, top))
        tell_hidden(axes, (x < low) | (x > high) | (y < bottom) | (y > top))
        axes.legend(loc="best")

    draw_figure(draw, path)
