"""What every parent policy owes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from speciate.records import Cell, Ordinal, Score
from speciate.seeds import draw_index


@dataclass(frozen=True, slots=True)
class Ranked:
    """An occupant as selection sees it.

    Attributes:
        ordinal: its number.
        rank: 1 is best. Pareto archives rank by front, then crowding.
        fitness: first objective, higher is better; may be negative, huge or equal to others.
        offspring: candidates chosen with it as first parent so far.
        cell: its cell, or None in archives without cells.
    """

    ordinal: Ordinal
    rank: int
    fitness: Score
    offspring: int
    cell: Cell | None = None


class ParentPolicy(ABC):
    """Draws a parent from the occupants of one island.

    Implementers: the policy keeps no state and uses no chance but `rng`; it must stand any finite fitness
    (negative, 1e300, all equal) without overflow, NaN or a warning.
    """

    @abstractmethod
    def probabilities(self, occupants: Sequence[Ranked]) -> np.ndarray:
        """Returns the probability of each occupant as parent, shape ``(n,)``, sum 1.

        Args:
            occupants: at least one, best first.
        """

    def draw(self, occupants: Sequence[Ranked], rng: np.random.Generator) -> Ordinal:
        """Draws one occupant's ordinal according to `probabilities`."""
        return occupants[draw_index(self.probabilities(occupants), rng)].ordinal
