"""Draws who descends from whom."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from speciate.records import Objective
from speciate.reports.canvas import axis_label, draw_figure, drawable
from speciate.reports.lineage import Lineage
from speciate.reports.pictures.shared import DOT, PALE, PATH, colors, dot

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_lineage(tree: Lineage, objective: Objective, title: str, path: Path) -> None:
    """Draws the tree of valid candidates, what still lives in it, and the path to the best.

    Args:
        tree: the data.
        objective: the first objective.
        title: what was run.
        path: the PNG file to write.

    Raises:
        MissingExtraError: matplotlib is not installed.
        OSError: the file cannot be written.
    """

    def draw(axes: Axes) -> None:
        from matplotlib.ticker import MaxNLocator

        x, y, scores = tree.ordinals, tree.generations, drawable(tree.scores)
        child, parent = _edges(tree)
        living = tree.living[child]
        for shown, color, width in ((~living, PALE, 0.4), (living, DOT, 0.8)):
            _segments(
                axes, (x[parent[shown]], y[parent[shown]]), (x[child[shown]], y[child[shown]]), color, width
            )
        order = np.argsort([objective.inward(score) for score in scores], kind="stable")
        dots = axes.scatter(x[order], y[order], c=scores[order], s=dot(len(order)), zorder=3, linewidths=0)
        dots.set(cmap=colors(objective), clim=_color_limits(scores[order], float(scores[0])))
        axes.plot(
            x[tree.on_path],
            y[tree.on_path],
            "-o",
            color=PATH,
            markersize=3,
            linewidth=1.2,
            zorder=4,
            label="path to the best",
        )
        axes.set(xlabel="candidate", ylabel="generations from the initial program", title=title)
        axes.yaxis.set_major_locator(MaxNLocator(integer=True, steps=[1, 2, 5, 10]))
        axes.legend(loc="upper left")
        axes.figure.colorbar(dots, ax=axes, label=axis_label(objective), extend=_extend(objective))

    draw_figure(draw, path)


def _edges(tree: Lineage) -> tuple[np.ndarray, np.ndarray]:
    """Returns positions of children and of their parents, for those whose parent is in the tree."""
    place = np.searchsorted(tree.ordinals, tree.parents)
    place = np.minimum(place, max(len(tree.ordinals) - 1, 0))
    child = np.flatnonzero(tree.ordinals[place] == tree.parents) if len(place) else place
    return child, place[child]


def _segments(
    axes: Axes,
    start: tuple[np.ndarray, np.ndarray],
    end: tuple[np.ndarray, np.ndarray],
    color: str,
    width: float,
) -> None:
    from matplotlib.collections import LineCollection

    lines = np.stack([np.stack(start, axis=-1), np.stack(end, axis=-1)], axis=1)
    axes.add_collection(LineCollection(list(lines), colors=color, linewidths=width, zorder=1))


def _color_limits(ordered: np.ndarray, first: float) -> tuple[float, float]:
    """Returns which scores get the first and the last colour.

    Most candidates of a long run are nearly as good as the best, so the colours tell apart the better half,
    and no less than the last tenth of the way from the initial program; all that is worse looks alike.

    Args:
        ordered: all scores, the best one last, shape ``(n,)``, n at least 1.
        first: the first candidate's score.
    """
    best, median = float(ordered[-1]), float(ordered[len(ordered) // 2])
    tenth = best + 0.1 * (first - best)
    low, high = sorted((max(median, tenth, key=lambda score: abs(best - score)), best))
    return low, high


def _extend(objective: Objective) -> str:
    return "min" if objective.direction == "maximize" else "max"
