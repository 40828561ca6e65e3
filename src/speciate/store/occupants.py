"""Who lives in the archives: a fold of placements and migrations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from speciate.records import Cell, Move, Ordinal, Placement


class Occupants:
    """The occupants of each island in one epoch, with their cells (None in archives without cells)."""

    def __init__(self) -> None:
        self._islands: dict[int, dict[Ordinal, Cell | None]] = {}

    def copied(self) -> Occupants:
        """Returns the same occupants, to go on with apart from these."""
        twin = Occupants()
        twin._islands = {island: dict(members) for island, members in self._islands.items()}
        return twin

    @property
    def islands(self) -> Mapping[int, Mapping[Ordinal, Cell | None]]:
        """Occupants in the order in which they came, by island. A live view."""
        return MappingProxyType(self._islands)

    def place(self, ordinal: Ordinal, island: int, placement: Placement) -> Sequence[Ordinal]:
        """Applies a placement; returns the ordinals that live nowhere any more because of it."""
        members = self._islands.setdefault(island, {})
        if placement.kept:
            members[ordinal] = placement.cell
        for evicted in placement.evicted:
            members.pop(evicted, None)
        return [evicted for evicted in placement.evicted if evicted not in self]

    def move(self, move: Move) -> Sequence[Ordinal]:
        """Applies a migration of one; returns the ordinals that live nowhere any more because of it."""
        if move.placement.kept:
            self._islands.get(move.source, {}).pop(move.ordinal, None)
        return self.place(move.ordinal, move.target, move.placement)

    def __contains__(self, ordinal: object) -> bool:
        return any(ordinal in members for members in self._islands.values())
