"""Behaviour space: its axes, their bins, and how well a set of members fills it."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from speciate.records import Cell, Member


@dataclass(frozen=True, slots=True)
class Axis:
    """One axis of behaviour space, cut into bins.

    Attributes:
        name: name of the coordinate.
        edges: inner edges of the bins, strictly increasing; k edges make k + 1 bins. A value on an edge
            belongs to the bin above it; values outside fall into the first or the last bin.
        range: (low, high) as the task gave it, or None when it gave edges.
    """

    name: str
    edges: tuple[float, ...]
    range: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        numbers = (*self.edges, *(self.range or ()))
        if not all(map(math.isfinite, numbers)):
            raise ValueError(f"axis {self.name!r} needs finite numbers, got {numbers}")
        if any(low >= high for low, high in zip(self.edges, self.edges[1:], strict=False)):
            raise ValueError(f"the edges of axis {self.name!r} must increase, got {self.edges}")
        if self.range is not None and self.range[0] >= self.range[1]:
            raise ValueError(f"the range of axis {self.name!r} must increase, got {self.range}")

    @classmethod
    def from_edges(cls, name: str, edges: Iterable[float]) -> Axis:
        """Returns an axis with the given inner edges.

        Raises:
            ValueError: an edge is not finite, or they do not increase.
        """
        return cls(name, tuple(float(edge) for edge in edges))

    @classmethod
    def uniform(cls, name: str, low: float, high: float, bins: int) -> Axis:
        """Returns an axis of `bins` equal bins over (low, high).

        Raises:
            ValueError: fewer than one bin, ``low >= high``, or bins too narrow for floating point.
        """
        if bins < 1:
            raise ValueError(f"axis {name!r} needs at least one bin, got {bins}")
        steps = (k / bins for k in range(1, bins))
        # Weights instead of low + step · (high − low): the width of the whole range may overflow.
        return cls(name, tuple(low * (1 - t) + high * t for t in steps), (float(low), float(high)))

    @property
    def bins(self) -> int:
        """Number of bins."""
        return len(self.edges) + 1

    def bin(self, value: float) -> int:
        """Returns the bin of one finite value, 0 to ``bins − 1``."""
        return bisect_right(self.edges, value)

    def bins_of(self, values: np.ndarray) -> np.ndarray:
        """Returns the bins of many finite values, shape ``(n,)`` in and out."""
        return np.searchsorted(np.asarray(self.edges), values, side="right")


def coverage(filled: int, cells: int) -> float:
    """Returns the share of cells that are filled, 0 to 1.

    Raises:
        ValueError: there are no cells, or fewer than are filled.
    """
    if not 0 <= filled <= cells or not cells:
        raise ValueError(f"{filled} of {cells} cells cannot be filled")
    return filled / cells


def qd_score(members: Iterable[Member], offset: float = 0.0) -> float:
    """Returns the QD-Score Σ(F − offset) over the first objectives (Pugh 2016).

    Args:
        members: one a cell.
        offset: a score no member falls below, so that filling a cell never lowers the sum; higher is better.
    """
    scores = [member.fitness[0] for member in members]
    try:
        return math.fsum(score - offset for score in scores)
    except OverflowError:  # a sum beyond 1.8e308 is infinite, not an error; 2^-64 leaves room for the parts
        return math.fsum(score * 2.0**-64 - offset * 2.0**-64 for score in scores) * 2.0**64


def best_by_cell(placed: Iterable[tuple[Cell, Member]]) -> dict[Cell, Member]:
    """Returns the best member of each cell: by first objective, then the smaller ordinal."""
    best: dict[Cell, Member] = {}
    for cell, member in placed:
        other = best.get(cell)
        if other is None or (-member.fitness[0], member.ordinal) < (-other.fitness[0], other.ordinal):
            best[cell] = member
    return best
