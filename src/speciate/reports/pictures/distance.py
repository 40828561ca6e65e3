"""Draws how far programs are from the initial program."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from speciate.reports.canvas import draw_figure
from speciate.reports.pictures.shared import DOT, LINE, PATH, dot
from speciate.reports.seed_distance import SeedDistances

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_WINDOWS = 15
_FEWEST = 8


def draw_distances(found: SeedDistances, title: str, path: Path) -> None:
    """Draws the distances of kept programs, their median and the best so far over the candidates.

    Args:
        found: the data, at least one program.
        title: what was run.
        path: the PNG file to write.

    Raises:
        MissingExtraError: matplotlib is not installed.
        OSError: the file cannot be written.
    """

    def draw(axes: Axes) -> None:
        axes.scatter(
            found.closed,
            found.distances,
            s=dot(len(found.ordinals)),
            color=DOT,
            linewidths=0,
            label="kept program",
        )
        middle_x, middle_y = running_median(found.closed, found.distances)
        axes.plot(middle_x, middle_y, color=LINE, linewidth=1.8, label="median of those kept then")
        if found.bests:
            x, y = best_steps(found)
            axes.step(x, y, "--", where="post", color=PATH, linewidth=1.4, label="best so far")
        axes.set(xlabel="candidates closed", ylabel="share of tokens not in common", title=title)
        top = max(0.05, float(found.distances.max()), *found.best_distances.tolist())
        axes.set_ylim(-0.03 * top, min(1.03, 1.25 * top))
        axes.legend(loc="best")

    draw_figure(draw, path)


def running_median(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Returns the medians of up to 15 groups of equally many neighbours, in the order of `x`; both `(w,)`."""
    groups = np.array_split(np.arange(len(x)), min(_WINDOWS, max(1, len(x) // _FEWEST)))
    return (
        np.array([float(np.median(x[group])) for group in groups]),
        np.array([float(np.median(y[group])) for group in groups]),
    )


def best_steps(found: SeedDistances) -> tuple[np.ndarray, np.ndarray]:
    """Returns where the distance of the best changes and to what, drawn on to the end; both ``(b + 1,)``."""
    closed = [best.closed for best in found.bests]
    end = max(int(found.closed[-1]), closed[-1])
    return np.array([*closed, end]), np.array([*found.best_distances, found.best_distances[-1]])
