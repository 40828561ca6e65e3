"""The order of members by their first objective, kept while members come and go."""

from __future__ import annotations

import math
from array import array
from bisect import bisect_left
from typing import TypeAlias

import numpy as np

from speciate.archives.base import Columns
from speciate.records import Cell, Member, Ordinal, Score

_Key: TypeAlias = tuple[float, Ordinal]


def check_fitness(member: Member) -> None:
    """Raises ValueError unless the member has a fitness and all of it is finite."""
    if not member.fitness or not all(map(math.isfinite, member.fitness)):
        raise ValueError(f"candidate {member.ordinal} needs finite objectives, got {member.fitness!r}")


class Ranking:
    """Members, best first: higher first objective, then the smaller ordinal.

    Entering and leaving cost a binary search and the shift of a few lists; looking costs nothing until the
    next change, when they are copied once. Ordinals and scores lie in machine arrays besides: to build
    columns of a thousand members one by one would cost more than everything else a candidate does here.
    """

    def __init__(self) -> None:
        self._keys: list[_Key] = []
        self._order: list[Member] = []
        self._cells: list[Cell | None] = []
        self._ordinals = array("q")
        self._scores = array("d")
        self._members: dict[Ordinal, Member] = {}
        self._view: tuple[Member, ...] | None = None
        self._columns: Columns | None = None

    def copied(self) -> Ranking:
        """Returns a ranking of the same members that shares no changes with this one."""
        twin = Ranking()
        twin._keys, twin._order, twin._cells = self._keys[:], self._order[:], self._cells[:]
        twin._ordinals, twin._scores = self._ordinals[:], self._scores[:]
        twin._members = self._members.copy()
        return twin

    def insert(self, member: Member, cell: Cell | None = None) -> None:
        """Enters a member and its cell. Raises ValueError if its ordinal is here already."""
        self.refuse_present(member)
        key = _key(member)
        index = bisect_left(self._keys, key)
        self._keys.insert(index, key)
        self._order.insert(index, member)
        self._cells.insert(index, cell)
        self._ordinals.insert(index, member.ordinal)
        self._scores.insert(index, member.fitness[0])
        self._members[member.ordinal] = member
        self._view = self._columns = None

    def pop(self, ordinal: Ordinal) -> Member:
        """Takes a member out and returns it. Raises KeyError if it is not here."""
        member = self._members.pop(ordinal)
        index = bisect_left(self._keys, _key(member))
        del self._keys[index], self._order[index], self._cells[index]
        del self._ordinals[index], self._scores[index]
        self._view = self._columns = None
        return member

    def refuse_present(self, member: Member) -> None:
        """Raises ValueError if the member's ordinal is here already."""
        if member.ordinal in self._members:
            raise ValueError(f"candidate {member.ordinal} is in this archive already")

    def first_not_above(self, score: Score) -> int:
        """Returns the index of the first member whose first objective is at most `score`."""
        return bisect_left(self._keys, (-score, -1))

    def view(self) -> tuple[Member, ...]:
        """Returns all members, best first."""
        if self._view is None:
            self._view = tuple(self._order)
        return self._view

    def columns(self) -> Columns:
        """Returns all members, best first, as columns."""
        if self._columns is None:
            self._columns = Columns(
                np.array(self._ordinals, dtype=np.int64),
                np.array(self._scores, dtype=np.float64),
                tuple(self._cells),
            )
        return self._columns

    def __getitem__(self, index: int) -> Member:
        return self._order[index]

    def __len__(self) -> int:
        return len(self._order)


def _key(member: Member) -> _Key:
    return -member.fitness[0], member.ordinal
