"""Draws final scores, run by run. Needs matplotlib (extra ``plot``)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from speciate.records import Objective
from speciate.reports import axis_label, draw_figure, drawable

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_finals(
    points: Sequence[tuple[str, np.ndarray]], objective: Objective, title: str, path: Path
) -> None:
    """Draws every final score as a dot and each condition's median as a line.

    Args:
        points: name and final scores of each condition, in the user's own direction.
        objective: names the axis and says which way is better.
        title: what is compared.
        path: the PNG file to write.

    Raises:
        MissingExtraError: matplotlib is not installed.
        OSError: the file cannot be written.
    """

    def draw(axes: Axes) -> None:
        for row, (_, finals) in enumerate(points):
            scores = drawable(finals)
            axes.scatter(scores, spread(scores) + row, s=18, color="#1f4e8c", alpha=0.6, linewidths=0)
            axes.vlines(float(np.median(scores)), row - 0.35, row + 0.35, color="#c8442f", linewidth=2)
        axes.set_yticks(range(len(points)), [f"{name} ({len(scores)})" for name, scores in points])
        axes.set(xlabel=axis_label(objective), title=title, ylim=(len(points) - 0.5, -0.5))

    draw_figure(draw, path)


def spread(scores: np.ndarray) -> np.ndarray:
    """Returns small steps aside, shape ``(n,)``, so that equal scores do not hide each other."""
    steps = np.arange(len(scores)) % 5
    return (steps - 2.0) * 0.08
