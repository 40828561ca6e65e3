"""A population: several islands, each with an inner archive of any kind."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from speciate.archives.base import Archive, Columns
from speciate.archives.descriptors import best_by_cell, coverage, qd_score
from speciate.records import Cell, Member, Move, Ordinal, Placement

Placements = tuple[tuple[int, Placement], ...]
"""Pairs of (island, placement), in the order in which the islands were asked."""


class Population:
    """Islands that share one best and one count of offspring.

    A member may live on several islands (the initial program is placed on all). Like its archives a
    population is a fold: `decide` and `apply` are separate, and what was applied is never decided again.

    Args:
        islands: the inner archives, at least one, all of one kind with the same settings (and the same
            cells). Members that they hold already are taken over.

    Raises:
        ValueError: there is no island.
    """

    def __init__(self, islands: Sequence[Archive]) -> None:
        if not islands:
            raise ValueError("a population needs at least one island")
        self._islands = tuple(islands)
        self._members: dict[Ordinal, Member] = {}
        self._homes: dict[Ordinal, list[int]] = {}
        self._best: Member | None = None
        self._offspring = _Counts()
        for island, archive in enumerate(self._islands):
            for member in archive.ranked():
                self._settle(member, island)
                self._note_best(member)

    @property
    def islands(self) -> int:
        """Number of islands."""
        return len(self._islands)

    def archive(self, island: int) -> Archive:
        """Returns the inner archive of an island, to look at: change it through the population only."""
        return self._islands[island]

    def decide(self, member: Member, islands: Iterable[int]) -> Placements:
        """Says how the given islands would take `member`. Changes nothing. Raises like `Archive.decide`."""
        return tuple((island, self._islands[island].decide(member)) for island in islands)

    def apply(self, member: Member, placements: Placements) -> None:
        """Does what the placements say, and notes the best: also of members that no island keeps."""
        self._note_best(member)
        for island, placement in placements:
            self._take(member, island, placement)

    def apply_move(self, move: Move) -> None:
        """Does what one step of a migration says.

        Raises:
            KeyError: the migrant does not live at its source.
        """
        if not move.placement.kept:
            return
        member = self._members[move.ordinal]
        self._islands[move.source].remove(move.ordinal)
        self._leave(move.ordinal, move.source)
        self._take(member, move.target, move.placement)

    def open_island(self, members: Iterable[tuple[Member, Placement]] = ()) -> int:
        """Adds an island of the same kind, with copies of `members` as placed there; returns its number."""
        self._islands = (*self._islands, self._islands[0].emptied())
        island = self.islands - 1
        for member, placement in members:
            self._take(member, island, placement)
        return island

    def decide_open(self, members: Iterable[Member]) -> tuple[tuple[Ordinal, Placement], ...]:
        """Says how a new island would take copies of `members`. Changes nothing."""
        archive = self._islands[0].emptied()
        return tuple((member.ordinal, archive.add(member)) for member in members)

    def faults(self) -> list[str]:
        """Returns what is wrong with the population, one sentence each; nothing if its parts agree."""
        living: dict[Ordinal, list[int]] = {}
        for island, archive in enumerate(self._islands):
            for member in archive.ranked():
                living.setdefault(member.ordinal, []).append(island)
        noted = {ordinal: sorted(homes) for ordinal, homes in self._homes.items()}
        apart = [o for o in sorted(living.keys() | noted.keys()) if living.get(o) != noted.get(o)]
        found = [
            f"candidate {ordinal} lives on islands {living.get(ordinal, [])}, not {noted.get(ordinal, [])}"
            for ordinal in apart
        ]
        above = [m.ordinal for m in self._members.values() if m != self._best and self.is_best(m)]
        return found + [f"candidate {ordinal} is better than the best" for ordinal in sorted(above)]

    def is_best(self, member: Member) -> bool:
        """Says whether `member` is or would be the best: by first objective, then the smaller ordinal."""
        best = self._best
        return best is None or (-member.fitness[0], member.ordinal) <= (-best.fitness[0], best.ordinal)

    def best(self) -> Member | None:
        """Returns the best member ever applied, kept or not, or None before the first one."""
        return self._best

    def ranked(self, island: int) -> Sequence[Member]:
        """Returns the occupants of an island, best first; the same object until the island changes."""
        return self._islands[island].ranked()

    def columns(self, island: int) -> Columns:
        """Returns what `ranked` returns as columns; the same object until the island changes."""
        return self._islands[island].columns()

    def occupants(self) -> tuple[Member, ...]:
        """Returns the occupants of all islands, each once, in the order of their ordinals."""
        return tuple(self._members[ordinal] for ordinal in sorted(self._members))

    def member(self, ordinal: Ordinal) -> Member | None:
        """Returns an occupant by its ordinal, or None if it lives nowhere."""
        return self._members.get(ordinal)

    def islands_of(self, ordinal: Ordinal) -> tuple[int, ...]:
        """Returns the islands on which an ordinal lives, ascending; empty if it lives nowhere."""
        return tuple(sorted(self._homes.get(ordinal, ())))

    def cell_of(self, ordinal: Ordinal, island: int) -> Cell | None:
        """Returns the cell an occupant of `island` fills, or None in archives without cells."""
        return self._islands[island].cell_of(ordinal)

    def note_offspring(self, ordinal: Ordinal) -> None:
        """Counts one more candidate that was chosen with `ordinal` as first parent."""
        self._offspring.add(ordinal)

    def offspring(self, ordinal: Ordinal) -> int:
        """Returns how many candidates were chosen with `ordinal` as first parent."""
        return int(self._offspring.of(np.array([ordinal]))[0])

    def offspring_of(self, ordinals: np.ndarray) -> np.ndarray:
        """Returns the counts of offspring of many ordinals at once, shape ``(n,)`` in and out."""
        return self._offspring.of(ordinals)

    @property
    def size(self) -> int:
        """Number of occupants; one that lives on several islands counts once."""
        return len(self._members)

    @property
    def coverage(self) -> float | None:
        """Share of the cells that some island fills, 0 to 1, or None without cells. O(size)."""
        cells = self._islands[0].cells
        return coverage(len(self._by_cell()), cells) if cells else None

    def qd_score(self, offset: float = 0.0) -> float:
        """Returns Σ(F − offset) over the best of each cell; over all occupants in archives without cells."""
        members = self._by_cell().values() if self._islands[0].cells else self._members.values()
        return qd_score(members, offset)

    def emptied(self) -> Population:
        """Returns an empty population, for a new epoch, that keeps settings and counts of offspring."""
        successor = Population([archive.emptied() for archive in self._islands])
        successor._offspring = self._offspring.copy()
        return successor

    def copied(self) -> Population:
        """Returns a population that holds the same and shares no changes with this one, to try things out."""
        twin = self.emptied()
        twin._islands = tuple(archive.copied() for archive in self._islands)
        twin._members, twin._best = self._members.copy(), self._best
        twin._homes = {ordinal: homes[:] for ordinal, homes in self._homes.items()}
        return twin

    def _by_cell(self) -> dict[Cell, Member]:
        placed = ((a.cell_of(m.ordinal), m) for a in self._islands for m in a.ranked())
        return best_by_cell((cell, member) for cell, member in placed if cell is not None)

    def _note_best(self, member: Member) -> None:
        if self.is_best(member):
            self._best = member

    def _take(self, member: Member, island: int, placement: Placement) -> None:
        self._islands[island].apply(member, placement)
        for ordinal in placement.evicted:
            self._leave(ordinal, island)
        if placement.kept:
            self._settle(member, island)

    def _settle(self, member: Member, island: int) -> None:
        self._members[member.ordinal] = member
        self._homes.setdefault(member.ordinal, []).append(island)

    def _leave(self, ordinal: Ordinal, island: int) -> None:
        homes = self._homes[ordinal]
        homes.remove(island)
        if not homes:
            del self._homes[ordinal], self._members[ordinal]


class _Counts:
    """A count an ordinal, in one array, so that those of a whole island are one indexing away."""

    def __init__(self) -> None:
        self._counts = np.zeros(256, dtype=np.int64)

    def add(self, ordinal: Ordinal) -> None:
        self._reach(ordinal)
        self._counts[ordinal] += 1

    def of(self, ordinals: np.ndarray) -> np.ndarray:
        if len(ordinals):
            self._reach(int(ordinals.max()))
        return np.take(self._counts, ordinals)

    def copy(self) -> _Counts:
        twin = _Counts()
        twin._counts = self._counts.copy()
        return twin

    def _reach(self, ordinal: Ordinal) -> None:
        if ordinal >= len(self._counts):
            grown = np.zeros(max(2 * len(self._counts), ordinal + 1), dtype=np.int64)
            grown[: len(self._counts)] = self._counts
            self._counts = grown
