"""A grid archive as a terminal shows it."""

from __future__ import annotations

import numpy as np

from speciate.records import Axis
from speciate.reports import ArchiveMap, number

SHADES = "░▒▓█"
"""From the worst to the best score; an empty cell is a dot."""

WIDEST = 64
"""Columns up to which a map is drawn; more do not fit a terminal."""


def heat_map(cells: ArchiveMap, title: str = "Archive") -> list[str]:
    """Returns the map as lines, first axis to the right and second one upwards; empty if it does not fit."""
    scores = cells.scores
    if not cells.filled or max(scores.shape) > WIDEST:
        return []
    low, high = float(np.nanmin(scores)), float(np.nanmax(scores))
    wide = 6 if scores.shape[1] <= 10 else 1
    labels = [""] if cells.y is None else [_label(cells.y, row) for row in range(scores.shape[0])]
    margin = max(map(len, labels))
    lines = [
        f"  {labels[row]:>{margin}} " + " ".join(_cell(score, low, high, wide) for score in scores[row])
        for row in reversed(range(scores.shape[0]))
    ]
    if wide > 1:
        names = " ".join(f"{_label(cells.x, column):>{wide}}" for column in range(scores.shape[1]))
        lines.append(f"  {'':>{margin}} {names}")
    axes = f"{cells.x.name} →" + ("" if cells.y is None else f", {cells.y.name} ↑")
    legend = f"scores from {number(low)} {SHADES[0]} to {number(high)} {SHADES[-1]}"
    return [f"{title}: {axes}; {cells.filled} of {scores.size} cells, {legend}", *lines]


def _cell(score: float, low: float, high: float, wide: int) -> str:
    if np.isnan(score):
        return f"{'·':^{wide}}"
    share = (score - low) / (high - low) if high > low else 1.0
    return SHADES[min(len(SHADES) - 1, int(share * len(SHADES)))] * wide


def _label(axis: Axis, place: int) -> str:
    """Returns what falls into a bin: below its upper edge, or from the last edge on."""
    if place < len(axis.edges):
        return f"<{axis.edges[place]:g}"
    return f"≥{axis.edges[-1]:g}" if axis.edges else "any"
