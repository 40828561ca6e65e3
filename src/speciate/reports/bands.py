"""Draws curves of several runs or groups of runs in one picture. Needs matplotlib (extra ``plot``)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from speciate.records import Objective
from speciate.reports.canvas import axis_label, draw_figure, drawable

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000", "#7f7f7f")
"""Told apart by most people with defective colour vision (after Okabe 2008)."""
_FEW = 4
"""Up to so many bands can be told apart when they lie over each other."""
_STYLES = ("-", "--", ":", "-.")


@dataclass(frozen=True, slots=True)
class Series:
    """One line with its band. All arrays have the shape of the grid and the user's own direction.

    Attributes:
        label: for the legend.
        middle: the line, NaN where it is not known.
        low: one edge of the band, or None for a line without.
        high: the other edge.
    """

    label: str
    middle: np.ndarray
    low: np.ndarray | None = None
    high: np.ndarray | None = None


def draw_bands(
    grid: np.ndarray, series: Sequence[Series], *, objective: Objective, spent: str, title: str, path: Path
) -> None:
    """Draws lines and bands over what was spent; the best line at the end comes first in the legend.

    Args:
        grid: positions, shape ``(g,)``.
        series: the lines.
        objective: names the vertical axis and says which way is better.
        spent: names the horizontal axis, with its unit.
        title: what is compared.
        path: the PNG file to write.

    Raises:
        MissingExtraError: matplotlib is not installed.
        OSError: the file cannot be written.
    """

    def draw(axes: Axes) -> None:
        for place in order_at_end(series, objective):
            color = COLORS[place % len(COLORS)]
            style = _STYLES[place // len(COLORS) % len(_STYLES)]
            one = series[place]
            if one.low is not None and one.high is not None:
                shade = 0.15 if len(series) <= _FEW else 0.07
                low, high = drawable(one.low), drawable(one.high)
                axes.fill_between(grid, low, high, step="post", color=color, alpha=shade, linewidth=0)
            axes.step(
                grid, drawable(one.middle), style, where="post", color=color, linewidth=1.6, label=one.label
            )
        axes.set(xlabel=spent, ylabel=axis_label(objective), title=title)
        axes.legend(loc="best", fontsize=8)

    draw_figure(draw, path)


def order_at_end(series: Sequence[Series], objective: Objective) -> list[int]:
    """Returns the places of the lines from the best at the end to the worst; those without a value last."""

    def rank(place: int) -> tuple[bool, float]:
        last = float(series[place].middle[-1])
        return bool(np.isnan(last)), -objective.inward(last)

    return sorted(range(len(series)), key=rank)
