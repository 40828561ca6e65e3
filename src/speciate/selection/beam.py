"""A few of the best take turns."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from typing_extensions import override

from speciate.selection.base import ParentPolicy, Ranked
from speciate.selection.occupants import Occupants


class Beam(ParentPolicy):
    """The `width` best take turns: of those, the one with the fewest offspring, then the better rank.

    Args:
        width: how many of the best take part, at least 1.

    Raises:
        ValueError: `width` is below 1.
    """

    def __init__(self, width: int = 5) -> None:
        if width < 1:
            raise ValueError(f"a beam is at least one occupant wide, got {width}")
        self._width = width

    @override
    def probabilities(self, occupants: Sequence[Ranked]) -> np.ndarray:
        columns = Occupants.of(occupants)
        beam = np.argsort(columns.ranks, kind="stable")[: self._width]
        weights = np.zeros(len(occupants))
        weights[beam[columns.offspring[beam].argmin()]] = 1.0  # argmin takes the first, the better rank
        return weights
