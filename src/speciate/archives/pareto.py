"""Several objectives at once: non-dominated fronts, thinned by crowding."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from typing_extensions import override

from speciate.archives.base import Archive, Columns
from speciate.archives.ranking import check_fitness
from speciate.records import Member, Ordinal, Placement, PlacementKind


class ParetoArchive(Archive):
    """At most `size` members, ranked by front, then crowding, then ordinal, as in NSGA-II.

    Steady state (μ + 1): in a full archive the newcomer joins and the last by rank leaves, which may be
    the newcomer itself. The member with the best first objective never is the one to leave: where several
    extremes compete for fewer places, crowding alone would not save it. (Deb 2002, NSGA-II,
    https://doi.org/10.1109/4235.996017)

    Args:
        size: number of places, at least 1.

    Raises:
        ValueError: `size` is below 1.
    """

    def __init__(self, size: int = 40) -> None:
        if size < 1:
            raise ValueError(f"a Pareto archive needs at least one place, got size {size}")
        self._size = size
        self._members: dict[Ordinal, Member] = {}
        self._view: tuple[Member, ...] | None = None
        self._columns: Columns | None = None

    @override
    def decide(self, member: Member) -> Placement:
        self._check(member)
        if len(self._members) < self._size:
            return Placement(PlacementKind.NEW)
        victim = _victim([*self._members.values(), member])
        if victim is member:
            return Placement(PlacementKind.NOT_KEPT)
        kind = PlacementKind.IMPROVED if dominates(member, victim) else PlacementKind.KEPT
        return Placement(kind, evicted=(victim.ordinal,))

    @override
    def apply(self, member: Member, placement: Placement) -> None:
        for ordinal in placement.evicted:
            self.remove(ordinal)
        if placement.kept:
            if member.ordinal in self._members:
                raise ValueError(f"candidate {member.ordinal} is in this archive already")
            self._members[member.ordinal] = member
            self._view = self._columns = None

    @override
    def remove(self, ordinal: Ordinal) -> None:
        del self._members[ordinal]
        self._view = self._columns = None

    @override
    def ranked(self) -> Sequence[Member]:
        if self._view is None:
            self._view = tuple(rank(list(self._members.values())))
        return self._view

    @override
    def columns(self) -> Columns:
        if self._columns is None:
            members = self.ranked()
            self._columns = Columns(
                np.array([member.ordinal for member in members], dtype=np.int64),
                np.array([member.fitness[0] for member in members], dtype=np.float64),
                (None,) * len(members),
            )
        return self._columns

    @override
    def emptied(self) -> ParetoArchive:
        return ParetoArchive(self._size)

    @override
    def copied(self) -> ParetoArchive:
        twin = self.emptied()
        twin._members = self._members.copy()
        return twin

    def __len__(self) -> int:
        return len(self._members)

    def _check(self, member: Member) -> None:
        check_fitness(member)
        if member.ordinal in self._members:
            raise ValueError(f"candidate {member.ordinal} is in this archive already")
        for other in self._members.values():
            if len(other.fitness) != len(member.fitness):
                raise ValueError(
                    f"candidate {member.ordinal} has {len(member.fitness)} objectives, "
                    f"the archive holds {len(other.fitness)}"
                )
            return


def dominates(one: Member, other: Member) -> bool:
    """Says whether `one` is nowhere worse than `other` and somewhere better."""
    pairs = list(zip(one.fitness, other.fitness, strict=True))
    return all(a >= b for a, b in pairs) and any(a > b for a, b in pairs)


def rank(members: Sequence[Member]) -> list[Member]:
    """Returns the members best first: by front, then larger crowding distance, then smaller ordinal."""
    if not members:
        return []
    by_ordinal, scores = _by_ordinal(members)
    fronts = front_of(scores)
    layers = (_loneliest_first(scores, fronts == front) for front in range(int(fronts.max()) + 1))
    return [by_ordinal[index] for layer in layers for index in layer]


def _victim(members: Sequence[Member]) -> Member:
    """The last by rank of at least two members, but never the holder of the best first objective.

    The holder is in front 0 (nobody on its first objective dominates the best ranked of those), so only the
    last front needs to be ordered, and the holder needs protection only if that is front 0.
    """
    by_ordinal, scores = _by_ordinal(members)
    fronts = front_of(scores)
    last = _loneliest_first(scores, fronts == fronts.max())
    if fronts.max() == 0:
        holder = next(index for index in last if scores[index, 0] == scores[:, 0].max())
        last.remove(holder)
    return by_ordinal[last[-1]]


def _by_ordinal(members: Sequence[Member]) -> tuple[list[Member], np.ndarray]:
    """The members in the order of their ordinals, and their objectives, shape ``(n, objectives)``."""
    ordered = sorted(members, key=lambda member: member.ordinal)
    return ordered, np.array([member.fitness for member in ordered], dtype=np.float64)


def _loneliest_first(scores: np.ndarray, chosen: np.ndarray) -> list[int]:
    """Indices of the chosen rows, larger crowding first, then in the order of the rows."""
    rows = np.flatnonzero(chosen)
    order = np.argsort(-crowding_distance(scores[rows]), kind="stable")
    return [int(row) for row in rows[order]]


def front_of(scores: np.ndarray) -> np.ndarray:
    """Returns the front of each row: 0 is not dominated, 1 is dominated by front 0 only, and so on.

    Args:
        scores: objectives, higher is better, shape ``(n, objectives)``.

    Returns:
        Integers, shape ``(n,)``. Equal rows share a front.
    """
    above = np.all(scores[:, None, :] >= scores[None, :, :], axis=2)
    dominating = np.asarray(above & ~above.T)
    pending = dominating.sum(axis=0)
    fronts = np.full(len(scores), -1)
    for front in range(len(scores)):
        current = np.flatnonzero((pending == 0) & (fronts < 0))
        if not len(current):
            break
        fronts[current] = front
        pending -= dominating[current].sum(axis=0)
    return fronts


def crowding_distance(scores: np.ndarray) -> np.ndarray:
    """Returns the crowding distance of each member of one front, shape ``(n,)``, larger is lonelier.

    The sum over objectives of the gap between the two neighbours, as a share of the front's range (Deb
    2002). The two ends of an objective are infinitely lonely. An objective on which the whole front agrees
    adds nothing; of rows that share an end, the first at the top and the last at the bottom are the ends.

    Args:
        scores: objectives of one front, shape ``(n, objectives)``.
    """
    distance = np.zeros(len(scores))
    for column in scores.T / 2:  # halves: the range of huge scores must not overflow
        order = np.argsort(-column, kind="stable")
        span = column[order[0]] - column[order[-1]]
        if span > 0:
            gaps = column[order[:-2]] - column[order[2:]]
            distance[order[1:-1]] += gaps / span
            distance[order[[0, -1]]] = np.inf
    return distance
