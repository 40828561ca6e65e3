"""Always the best."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from typing_extensions import override

from speciate.selection.base import ParentPolicy, Ranked
from speciate.selection.occupants import Occupants


class HillClimb(ParentPolicy):
    """The occupant of rank 1, always."""

    @override
    def probabilities(self, occupants: Sequence[Ranked]) -> np.ndarray:
        weights = np.zeros(len(occupants))
        weights[Occupants.of(occupants).ranks.argmin()] = 1.0
        return weights
