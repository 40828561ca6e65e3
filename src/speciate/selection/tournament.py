"""The best of a few drawn at random."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from typing_extensions import override

from speciate.selection.base import ParentPolicy, Ranked
from speciate.selection.occupants import Occupants


class Tournament(ParentPolicy):
    """The best rank of `size` occupants drawn uniformly with replacement.

    The winner has rank r with p_r = ((n − r + 1)/n)^k − ((n − r)/n)^k: nobody drawn is better than r, but not
    everybody is worse. A tournament of one is uniform.

    Args:
        size: k, how many are drawn, at least 1.

    Raises:
        ValueError: `size` is below 1.
    """

    def __init__(self, size: int = 3) -> None:
        if size < 1:
            raise ValueError(f"a tournament needs at least one entrant, got {size}")
        self._size = size

    @override
    def probabilities(self, occupants: Sequence[Ranked]) -> np.ndarray:
        ranks = Occupants.of(occupants).ranks
        count = len(ranks)
        not_better = (count - ranks + 1) / count
        worse = (count - ranks) / count
        return np.asarray(not_better**self._size - worse**self._size)
