"""The occupants of an island as policies see them: records outside, columns inside."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import compress
from typing import overload

import numpy as np
from typing_extensions import override

from speciate.archives import Population
from speciate.records import Cell, Ordinal
from speciate.selection.base import Ranked


class Occupants(Sequence[Ranked]):
    """Occupants held as arrays, so that a policy over a thousand of them builds no thousand objects.

    A `Ranked` is made when one is looked at. Nothing in it changes after construction.

    Attributes:
        ordinals: integers, shape ``(n,)``.
        ranks: integers from 1, 1 is best, shape ``(n,)``.
        fitness: first objectives, higher is better, shape ``(n,)``.
        offspring: integers, shape ``(n,)``.
        cells: a cell each, or None in archives without cells.
    """

    __slots__ = ("cells", "fitness", "offspring", "ordinals", "ranks")

    def __init__(
        self,
        ordinals: np.ndarray,
        ranks: np.ndarray,
        fitness: np.ndarray,
        offspring: np.ndarray,
        cells: tuple[Cell | None, ...],
    ) -> None:
        self.ordinals = ordinals
        self.ranks = ranks
        self.fitness = fitness
        self.offspring = offspring
        self.cells = cells

    @classmethod
    def of(cls, occupants: Sequence[Ranked]) -> Occupants:
        """Returns the given records as columns; what is columns already is returned as it is."""
        if isinstance(occupants, Occupants):
            return occupants
        return cls(
            np.array([o.ordinal for o in occupants], dtype=np.int64),
            np.array([o.rank for o in occupants], dtype=np.int64),
            np.array([o.fitness for o in occupants], dtype=np.float64),
            np.array([o.offspring for o in occupants], dtype=np.int64),
            tuple(o.cell for o in occupants),
        )

    def without(self, ordinal: Ordinal) -> Occupants:
        """Returns all others, with the ranks that they have; the same object if there is no such occupant."""
        kept = self.ordinals != ordinal
        if kept.all():
            return self
        return Occupants(
            self.ordinals[kept],
            self.ranks[kept],
            self.fitness[kept],
            self.offspring[kept],
            tuple(compress(self.cells, kept)),
        )

    @overload
    def __getitem__(self, index: int) -> Ranked: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Ranked]: ...
    @override
    def __getitem__(self, index: int | slice) -> Ranked | Sequence[Ranked]:
        if isinstance(index, slice):
            return [self._record(i) for i in range(*index.indices(len(self)))]
        return self._record(index)

    @override
    def __len__(self) -> int:
        return len(self.cells)

    @override
    def __iter__(self) -> Iterator[Ranked]:
        return (self._record(index) for index in range(len(self)))

    def _record(self, index: int) -> Ranked:
        return Ranked(
            int(self.ordinals[index]),
            int(self.ranks[index]),
            float(self.fitness[index]),
            int(self.offspring[index]),
            self.cells[index],
        )


class OccupantsView:
    """Looks at a population as policies do; what has not changed since the last look is not built again.

    Args:
        population: what is looked at, at each call as it is then.
    """

    def __init__(self, population: Population) -> None:
        self._population = population

    def of(self, island: int) -> Occupants:
        """Returns the occupants of an island, best first; may be empty."""
        columns = self._population.columns(island)
        return Occupants(
            columns.ordinals,
            np.arange(1, len(columns.ordinals) + 1),
            columns.scores,
            self._population.offspring_of(columns.ordinals),
            columns.cells,
        )
