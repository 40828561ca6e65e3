"""What every inner archive owes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from speciate.records import Cell, Member, Ordinal, Placement


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """The occupants of an archive as arrays, best first. Nothing in it changes afterwards.

    Attributes:
        ordinals: integers, shape ``(n,)``.
        scores: first objectives, higher is better, shape ``(n,)``.
        cells: a cell each, or None in archives without cells.
    """

    ordinals: np.ndarray
    scores: np.ndarray
    cells: tuple[Cell | None, ...]


class Archive(ABC):
    """A set of members that decides who stays. Holds ordinals and numbers, never sources.

    Deciding and applying are separate: `decide` says what would happen and changes nothing; `apply`
    does what a decision says and decides nothing. A fold over recorded placements therefore gives back
    the archive exactly, and `decide` can be run again to check a history.

    Implementers: no chance, no clock; ties are broken by the smaller ordinal. The best first objective ever
    offered is never lost, unless its holder is taken out by `remove`. The cost of `decide` and `apply` does
    not grow with the history.
    """

    @abstractmethod
    def decide(self, member: Member) -> Placement:
        """Says how `member` would be taken. Changes nothing.

        Raises:
            ValueError: its fitness or its descriptor is missing, not finite or of the wrong length, or it is
                an occupant already.
        """

    @abstractmethod
    def apply(self, member: Member, placement: Placement) -> None:
        """Does what `placement` says: enters `member` if it is kept, drops the evicted.

        Raises:
            KeyError: an evicted ordinal is not here.
            ValueError: `member` is here already.
        """

    @abstractmethod
    def remove(self, ordinal: Ordinal) -> None:
        """Takes an occupant out (it migrates). Raises KeyError if it is not here."""

    @abstractmethod
    def ranked(self) -> Sequence[Member]:
        """Returns all occupants, best first. For several objectives: front, then crowding, then ordinal.

        The sequence never changes afterwards, and it is the same object until the archive changes.
        """

    @abstractmethod
    def columns(self) -> Columns:
        """Returns what `ranked` returns as columns; the same object until the archive changes."""

    @abstractmethod
    def emptied(self) -> Archive:
        """Returns an empty archive with the same settings (and the same cells)."""

    @abstractmethod
    def copied(self) -> Archive:
        """Returns an archive that holds the same and shares no changes with this one, to try things out.

        Cheap, for every migration is tried out on copies: tables are copied, members are not entered anew.
        """

    @property
    def cells(self) -> int | None:
        """How many cells there are to fill, or None for an archive without cells."""
        return None

    @property
    def layout(self) -> str:
        """A digest of how descriptors fall into cells, or an empty text for an archive without cells.

        Archives of equal layout put equal descriptors into equal cells; what the coordinates mean is not in
        it.
        """
        return ""

    def cell_of(self, ordinal: Ordinal) -> Cell | None:
        """Returns the cell an occupant fills, or None for an archive without cells.

        Raises:
            KeyError: the archive has cells and `ordinal` is in none of them.
        """
        return None

    def add(self, member: Member) -> Placement:
        """Decides and applies in one go; returns the placement."""
        placement = self.decide(member)
        self.apply(member, placement)
        return placement

    def best(self) -> Member | None:
        """Returns the occupant with the best first objective (smaller ordinal on a tie), or None if empty."""
        return min(self.ranked(), key=lambda m: (-m.fitness[0], m.ordinal), default=None)

    def __len__(self) -> int:
        return len(self.ranked())
