"""An axis of behaviour space."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass


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
