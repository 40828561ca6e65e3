"""What archives with cells share: one occupant a cell, replaced by a strictly better one."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Sequence

from typing_extensions import override

from speciate.archives.base import Archive, Columns
from speciate.archives.ranking import Ranking, check_fitness
from speciate.records import Cell, Descriptor, Member, Ordinal, Placement, PlacementKind


class CellArchive(Archive):
    """MAP-Elites (Mouret 2015, https://arxiv.org/abs/1504.04909): each cell keeps the best that fell into it.

    A newcomer needs a strictly better first objective than the occupant; on a tie the occupant stays.

    Args:
        dimensions: number of coordinates of a descriptor.
    """

    def __init__(self, dimensions: int) -> None:
        self._dimensions = dimensions
        self._occupants: dict[Cell, Member] = {}
        self._cells: dict[Ordinal, Cell] = {}
        self._ranking = Ranking()

    @abstractmethod
    def locate(self, descriptor: Descriptor) -> Cell:
        """Returns the cell a descriptor falls into. It is finite and of the right length."""

    @override
    def decide(self, member: Member) -> Placement:
        check_fitness(member)
        self._ranking.refuse_present(member)
        cell = self.locate(self._descriptor(member))
        occupant = self._occupants.get(cell)
        if occupant is None:
            return Placement(PlacementKind.NEW, cell)
        if member.fitness[0] > occupant.fitness[0]:
            return Placement(PlacementKind.IMPROVED, cell, (occupant.ordinal,))
        return Placement(PlacementKind.NOT_KEPT, cell)

    @override
    def apply(self, member: Member, placement: Placement) -> None:
        for ordinal in placement.evicted:
            self.remove(ordinal)
        if not placement.kept:
            return
        if placement.cell is None or placement.cell in self._occupants:
            raise ValueError(f"candidate {member.ordinal} needs a free cell, got {placement.cell}")
        self._ranking.insert(member, placement.cell)
        self._occupants[placement.cell] = member
        self._cells[member.ordinal] = placement.cell

    @override
    def remove(self, ordinal: Ordinal) -> None:
        del self._occupants[self._cells.pop(ordinal)]
        self._ranking.pop(ordinal)

    @override
    def ranked(self) -> Sequence[Member]:
        return self._ranking.view()

    @override
    def columns(self) -> Columns:
        return self._ranking.columns()

    @abstractmethod
    @override
    def emptied(self) -> CellArchive: ...

    @override
    def copied(self) -> CellArchive:
        twin = self.emptied()
        twin._occupants, twin._cells = self._occupants.copy(), self._cells.copy()
        twin._ranking = self._ranking.copied()
        return twin

    @override
    def cell_of(self, ordinal: Ordinal) -> Cell | None:
        return self._cells[ordinal]

    def occupant(self, cell: Cell) -> Member | None:
        """Returns the occupant of a cell, or None if it is empty."""
        return self._occupants.get(cell)

    @override
    def best(self) -> Member | None:
        return self._ranking[0] if len(self._ranking) else None

    def __len__(self) -> int:
        return len(self._ranking)

    def _descriptor(self, member: Member) -> Descriptor:
        descriptor = member.descriptor
        if (
            descriptor is None
            or len(descriptor) != self._dimensions
            or not all(map(math.isfinite, descriptor))
        ):
            raise ValueError(
                f"candidate {member.ordinal} needs a descriptor of {self._dimensions} finite numbers, "
                f"got {descriptor!r}"
            )
        return descriptor
