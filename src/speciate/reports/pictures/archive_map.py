"""Draws what fills the cells of a grid."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from speciate.records import Axis, Objective
from speciate.reports.archive_map import ArchiveMap
from speciate.reports.canvas import axis_label, draw_figure, drawable
from speciate.reports.pictures.shared import colors
from speciate.reports.words import number

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_ANNOTATED_CELLS = 150


def draw_archive_map(cells: ArchiveMap, objective: Objective, title: str, path: Path) -> None:
    """Draws the best score of each cell of a grid.

    Args:
        cells: the data.
        objective: the first objective.
        title: what was run.
        path: the PNG file to write.

    Raises:
        MissingExtraError: matplotlib is not installed.
        OSError: the file cannot be written.
    """

    def draw(axes: Axes) -> None:
        rows, columns = cells.scores.shape
        mesh = axes.pcolormesh(
            np.ma.masked_invalid(drawable(cells.scores)),
            cmap=colors(objective),
            edgecolors="white",
            linewidth=0.5,
        )
        axes.set_facecolor("#eef0f3")
        axes.grid(visible=False)
        axes.set(xlabel=cells.x.name, title=f"{title} ({cells.filled} of {rows * columns} cells filled)")
        _ticks(axes.set_xticks, cells.x)
        if cells.y is None:
            axes.set_yticks([])
        else:
            axes.set_ylabel(cells.y.name)
            _ticks(axes.set_yticks, cells.y)
        axes.figure.colorbar(mesh, ax=axes, label=axis_label(objective))
        if rows * columns <= _MOST_ANNOTATED_CELLS:
            _annotate(axes, cells, objective)

    draw_figure(draw, path)


def _ticks(set_ticks: Callable[..., object], axis: Axis) -> None:
    """Marks the borders of the bins with their values, at most about ten of them."""
    edges = dict(enumerate(axis.edges, start=1))
    if axis.range is not None:
        edges |= {0: axis.range[0], axis.bins: axis.range[1]}
    every = max(1, len(edges) // 10)
    shown = sorted(edges)[::every]
    set_ticks(shown, [number(edges[place]) for place in shown])


def _annotate(axes: Axes, cells: ArchiveMap, objective: Objective) -> None:
    from matplotlib.patheffects import withStroke

    halo = [withStroke(linewidth=2, foreground="white")]
    for row, column in np.argwhere(cells.ordinals >= 0):
        text = number(float(cells.scores[row, column]), digits=4)
        axes.text(column + 0.5, row + 0.5, text, ha="center", va="center", fontsize=6.5, path_effects=halo)
