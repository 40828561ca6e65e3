"""The nearest of many vectors, in one pass over a table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from speciate.novelty.hashing import Vector, cosines
from speciate.novelty.table import VectorTable
from speciate.records import Ordinal

_TOLERANCE = 1e-4
"""How far single precision may be off; what comes that close to the best is looked at exactly."""


@dataclass(frozen=True, slots=True)
class Neighbour:
    """The candidate that is most alike.

    Attributes:
        ordinal: the candidate; the smallest among equals.
        similarity: the cosine, to six decimals.
    """

    ordinal: Ordinal
    similarity: float


class VectorIndex:
    """Embeddings by ordinal.

    Args:
        load: gives the vector of a candidate, or None for one that has none.
    """

    def __init__(self, load: Callable[[Ordinal], Vector | None]) -> None:
        self._table = VectorTable(load, np.float32)  # holds whole numbers up to 2^24 as they are

    def nearest(self, vector: Vector, among: npt.NDArray[np.int64]) -> Neighbour | None:
        """Returns who of `among` is most alike, or None if nobody of them has a vector.

        Args:
            vector: what is compared, shape ``(dims,)``.
            among: ordinals, each once.
        """
        table = self._table
        slots = table.slots(among, len(vector))
        if not len(slots):
            return None
        # All rows at once: picking some would copy them, which takes longer than the product. Row by row: the
        # product of a matrix wakes the threads of BLAS, and waiting for them takes longer than the sums.
        products = np.vecdot(table.rows[: table.used], vector.astype(np.float32))[slots]
        lengths = table.lengths[slots] * max(float(np.linalg.norm(vector)), 1.0)
        alike = products / np.maximum(lengths, 1.0)
        close = slots[alike >= float(alike.max()) - _TOLERANCE]
        # Single precision depends on how the sum was split; whole numbers do not.
        exact = cosines(vector, table.rows[close].astype(np.int32))
        similarity = float(exact.max())
        return Neighbour(int(table.owners[close[exact == similarity]].min()), similarity)
