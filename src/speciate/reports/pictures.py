"""Draws what the other files of this room compute about one run. Needs matplotlib (extra ``plot``)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from speciate.records import Axis, Objective
from speciate.reports.archive_map import ArchiveMap
from speciate.reports.canvas import axis_label, draw_figure, drawable
from speciate.reports.convergence import Convergence
from speciate.reports.lineage import Lineage
from speciate.reports.pareto import ParetoFront
from speciate.reports.words import number

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_DOT, _LINE, _PATH, _PALE = "#9db7d5", "#1f4e8c", "#c8442f", "#d9dde3"
_MOST_ANNOTATED_CELLS = 150


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
        place = np.arange(len(curve.best))
        valid = ~np.isnan(curve.scores)
        scores, bests = drawable(curve.scores[valid]), drawable(curve.best)
        axes.scatter(
            place[valid],
            scores,
            s=_dot(int(valid.sum())),
            color=_DOT,
            linewidths=0,
            label="valid candidate",
        )
        for epoch in np.unique(curve.epochs):
            best = np.where(curve.epochs == epoch, bests, np.nan)
            axes.step(
                place, best, where="post", color=_LINE, linewidth=1.8, label=None if epoch else "best so far"
            )
        axes.set(xlabel="candidates closed", ylabel=axis_label(objective), title=title)
        _zoom(axes, scores, bests[~np.isnan(bests)], objective)
        axes.legend(loc="lower right" if objective.direction == "maximize" else "upper right")

    draw_figure(draw, path)


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
        for shown, color, width in ((~living, _PALE, 0.4), (living, _DOT, 0.8)):
            _segments(
                axes, (x[parent[shown]], y[parent[shown]]), (x[child[shown]], y[child[shown]]), color, width
            )
        order = np.argsort([objective.inward(score) for score in scores], kind="stable")
        dots = axes.scatter(x[order], y[order], c=scores[order], s=_dot(len(order)), zorder=3, linewidths=0)
        dots.set(cmap=_colors(objective), clim=_color_limits(scores[order], float(scores[0])))
        axes.plot(
            x[tree.on_path],
            y[tree.on_path],
            "-o",
            color=_PATH,
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
            cmap=_colors(objective),
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
        size = _dot(len(x))
        axes.scatter(x[~front], y[~front], s=size, color=_DOT, linewidths=0, label="valid candidate")
        order = np.argsort(x[front], kind="stable")
        axes.plot(
            x[front][order],
            y[front][order],
            "o",
            color=_PATH,
            markersize=4,
            label=f"not dominated ({int(front.sum())})",
        )
        axes.set(xlabel=axis_label(found.x), ylabel=axis_label(found.y), title=title)
        low, high = _limits(x, x[front], found.x)
        bottom, top = _limits(y, y[front], found.y)
        axes.set(xlim=(low, high), ylim=(bottom, top))
        _tell_hidden(axes, (x < low) | (x > high) | (y < bottom) | (y > top))
        axes.legend(loc="best")

    draw_figure(draw, path)


def _zoom(axes: Axes, scores: np.ndarray, best: np.ndarray, objective: Objective) -> None:
    """Fits the axis to the better part of the scores: a few disasters must not flatten the curve."""
    if not best.size:
        return
    low, high = _limits(scores, best, objective)
    axes.set_ylim(low, high)
    _tell_hidden(axes, (scores < low) | (scores > high))


def _limits(scores: np.ndarray, best: np.ndarray, objective: Objective) -> tuple[float, float]:
    """Returns from where to where an axis goes that shows all the best and the better part of the rest."""
    low, high = float(best.min()), float(best.max())
    room = 0.5 * (high - low) or np.inf  # no more of it than half of what the curve covers
    if objective.direction == "maximize":
        low = min(low, max(float(np.quantile(scores, 0.02)), low - room))
    else:
        high = max(high, min(float(np.quantile(scores, 0.98)), high + room))
    margin = 0.06 * (high - low) or max(abs(high) * 0.05, 1e-12)
    return low - margin, high + margin


def _tell_hidden(axes: Axes, outside: np.ndarray) -> None:
    if hidden := int(outside.sum()):
        axes.set_title(f"{hidden} worse candidates lie outside", loc="right", fontsize=8, fontweight="normal")


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


def _dot(many: int) -> float:
    """Returns the area of a dot in square points: smaller where there are many."""
    return 12.0 if many < 2000 else 4.0


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


def _colors(objective: Objective) -> str:
    """Bright is better, whichever the direction."""
    return "viridis" if objective.direction == "maximize" else "viridis_r"


def _extend(objective: Objective) -> str:
    return "min" if objective.direction == "maximize" else "max"
