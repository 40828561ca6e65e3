"""What became of an outcome in an archive."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from speciate.records.outcome import Result
from speciate.records.types import Cell, Descriptor, Fitness, Ordinal


class PlacementKind(StrEnum):
    """How an archive took a member."""

    NEW = "new"  # fills an empty cell (or a free place in a list)
    IMPROVED = "improved"  # replaces a worse occupant
    KEPT = "kept"  # stays beside others
    NOT_KEPT = "not_kept"


@dataclass(frozen=True, slots=True)
class Member:
    """What an archive needs to know of a candidate.

    Attributes:
        ordinal: its number.
        fitness: its objectives, higher is better.
        descriptor: coordinates in behaviour space, or None.
    """

    ordinal: Ordinal
    fitness: Fitness
    descriptor: Descriptor | None = None

    @classmethod
    def of(cls, ordinal: Ordinal, result: Result) -> Member:
        """What an archive needs to know of a candidate with this result."""
        return cls(ordinal, result.objectives, result.descriptor)


@dataclass(frozen=True, slots=True)
class Placement:
    """A decision of an archive about one member. Applying it needs no further decision.

    Attributes:
        kind: how it was taken.
        cell: the cell it falls into, or None for archives without cells.
        evicted: ordinals that leave because of it.
    """

    kind: PlacementKind
    cell: Cell | None = None
    evicted: tuple[Ordinal, ...] = ()

    @property
    def kept(self) -> bool:
        """Whether the member is an occupant now."""
        return self.kind is not PlacementKind.NOT_KEPT


@dataclass(frozen=True, slots=True)
class Move:
    """One migrant: leaves `source` for `target` as `placement` says; not kept there, it stays at home."""

    ordinal: Ordinal
    source: int
    target: int
    placement: Placement
