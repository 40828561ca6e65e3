"""What fills the cells of a grid, as data for a heat map."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from speciate.records import Axis, Ordinal, Score
from speciate.reports.manifest import RunFacts
from speciate.reports.summary import best_by_cell
from speciate.store import RunHistory


@dataclass(frozen=True, slots=True)
class ArchiveMap:
    """The best score of each cell over two axes of a grid; over further axes the best counts.

    Attributes:
        x: the axis of the columns.
        y: the axis of the rows, or None for a grid of one axis, which is drawn as one row.
        scores: the first objective in the user's own direction, shape ``(rows, columns)``; NaN if empty.
        ordinals: who lives there, shape ``(rows, columns)``; −1 if empty.
    """

    x: Axis
    y: Axis | None
    scores: np.ndarray
    ordinals: np.ndarray

    @property
    def filled(self) -> int:
        """How many cells of the map are filled."""
        return int((self.ordinals >= 0).sum())


def archive_map(history: RunHistory, facts: RunFacts, *, axes: tuple[int, int] = (0, 1)) -> ArchiveMap | None:
    """Returns the map of the last epoch's archives, all islands together, or None if they are not grids.

    Args:
        history: the run.
        facts: its manifest.
        axes: which axes are columns and rows; the second is not looked at when there is only one.

    Raises:
        IndexError: there is no such axis.
    """
    if facts.population.archive.kind != "grid":
        return None
    x = facts.axes[axes[0]]
    y = facts.axes[axes[1]] if len(facts.axes) > 1 else None
    shape = (1 if y is None else y.bins, x.bins)
    best: dict[tuple[int, int], tuple[Score, Ordinal]] = {}
    for cell, (ordinal, score) in best_by_cell(history).items():
        place = (0 if y is None else cell[axes[1]], cell[axes[0]])
        other = best.get(place)
        if other is None or (score, -ordinal) > (other[0], -other[1]):
            best[place] = score, ordinal
    scores, ordinals = np.full(shape, np.nan), np.full(shape, -1, dtype=np.int64)
    for place, (score, ordinal) in best.items():
        scores[place], ordinals[place] = facts.objective.outward(score), ordinal
    return ArchiveMap(x, y, scores, ordinals)
