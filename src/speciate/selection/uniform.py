"""Every occupant alike."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from typing_extensions import override

from speciate.selection.base import ParentPolicy, Ranked


class Uniform(ParentPolicy):
    """Every occupant is as likely as every other: p_i = 1/n."""

    @override
    def probabilities(self, occupants: Sequence[Ranked]) -> np.ndarray:
        return np.full(len(occupants), 1 / len(occupants))
