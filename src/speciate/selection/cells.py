"""Every occupied cell alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from typing_extensions import override

from speciate.selection.base import ParentPolicy, Ranked
from speciate.selection.occupants import Occupants


class Cells(ParentPolicy):
    """An occupied cell uniformly, then one of its occupants uniformly; uniform in archives without cells."""

    @override
    def probabilities(self, occupants: Sequence[Ranked]) -> np.ndarray:
        cells = Occupants.of(occupants).cells
        crowds = Counter(cell for cell in cells if cell is not None)
        weights = np.array([1.0 if cell is None else 1.0 / crowds[cell] for cell in cells])
        return np.asarray(weights / weights.sum())
