"""Every occupant alike, and the island before it."""

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


def draw_island(sizes: Sequence[int], rng: np.random.Generator) -> int:
    """Draws an island uniformly from those that have occupants.

    Args:
        sizes: number of occupants of each island.
        rng: the chance for it.

    Raises:
        ValueError: all islands are empty.
    """
    inhabited = [island for island, size in enumerate(sizes) if size]
    if not inhabited:
        raise ValueError("there is no parent to draw: all islands are empty")
    return inhabited[int(rng.integers(len(inhabited)))]
