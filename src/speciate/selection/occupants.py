"""The occupants of an island as policies see them: records outside, columns inside."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import overload

import numpy as np
from typing_extensions import override

from speciate.archives import Population
from speciate.records import Cell, Member
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

    def with_offspring(self, offspring: np.ndarray) -> Occupants:
        """Returns the same occupants with other counts of offspring."""
        return Occupants(self.ordinals, self.ranks, self.fitness, offspring, self.cells)

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
        self._seen: dict[int, tuple[Sequence[Member], Occupants]] = {}

    def of(self, island: int) -> Occupants:
        """Returns the occupants of an island, best first; may be empty."""
        ranked = self._population.ranked(island)
        seen = self._seen.get(island)
        # An archive hands out the same object until it changes: identity is the version.
        if seen is None or seen[0] is not ranked:
            seen = self._seen[island] = (ranked, self._build(ranked, island))
        occupants = seen[1]
        return occupants.with_offspring(self._population.offspring_of(occupants.ordinals))

    def _build(self, ranked: Sequence[Member], island: int) -> Occupants:
        archive = self._population.archive(island)
        cells: tuple[Cell | None, ...] = (None,) * len(ranked)
        if archive.cells is not None:
            cells = tuple(archive.cell_of(member.ordinal) for member in ranked)
        return Occupants(
            np.array([member.ordinal for member in ranked], dtype=np.int64),
            np.arange(1, len(ranked) + 1),
            np.array([member.fitness[0] for member in ranked], dtype=np.float64),
            np.zeros(len(ranked), dtype=np.int64),
            cells,
        )
