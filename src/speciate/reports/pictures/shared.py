"""What the pictures of a run have in common: colours, dots, and how far axes go."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from speciate.records import Objective

if TYPE_CHECKING:
    from matplotlib.axes import Axes

DOT, LINE, PATH, PALE = "#9db7d5", "#1f4e8c", "#c8442f", "#d9dde3"
"""Programs, the best so far, the path to the best, what is gone."""


def limits(scores: np.ndarray, best: np.ndarray, objective: Objective) -> tuple[float, float]:
    """Returns from where to where an axis goes that shows all the best and the better part of the rest."""
    low, high = float(best.min()), float(best.max())
    room = 0.5 * (high - low) or np.inf  # no more of it than half of what the curve covers
    if objective.direction == "maximize":
        low = min(low, max(float(np.quantile(scores, 0.02)), low - room))
    else:
        high = max(high, min(float(np.quantile(scores, 0.98)), high + room))
    margin = 0.06 * (high - low) or max(abs(high) * 0.05, 1e-12)
    return low - margin, high + margin


def tell_hidden(axes: Axes, outside: np.ndarray) -> None:
    """Says in a picture's corner how many candidates lie outside of it."""
    if hidden := int(outside.sum()):
        axes.set_title(f"{hidden} worse candidates lie outside", loc="right", fontsize=8, fontweight="normal")


def dot(many: int) -> float:
    """Returns the area of a dot in square points: smaller where there are many."""
    return 12.0 if many < 2000 else 4.0


def colors(objective: Objective) -> str:
    """Bright is better, whichever the direction."""
    return "viridis" if objective.direction == "maximize" else "viridis_r"
