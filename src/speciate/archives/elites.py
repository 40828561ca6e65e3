"""A list of fixed size that keeps the best."""

from __future__ import annotations

import math
from collections.abc import Sequence

from typing_extensions import override

from speciate.archives.base import Archive, Columns
from speciate.archives.ranking import Ranking, check_fitness
from speciate.records import Member, Ordinal, Placement, PlacementKind


class EliteList(Archive):
    """At most `size` members, ranked by the first objective; a share of the places is safe from equals.

    The first `elites` members by rank are the elites. While there is room everyone enters. In a full list a
    newcomer takes the place of the worst member outside the elites (the oldest of equally bad ones) if it
    scores better, or if it scores the same and is newer. So a plateau keeps its oldest members in the
    elite places, as anchors, and lets the others drift. An elite leaves only for a strictly better one:
    it must first be outranked into the other places (or, if all places are elite, be the last and be beaten).

    This is our reading of the "elite ratio" of Lange 2025 (https://arxiv.org/abs/2509.19349), which names
    the number and not the rule. To let every tie go to the newer one instead would lose the first program
    that reached the best score as soon as the list is one plateau.

    Args:
        size: number of places, at least 1.
        elite_share: share of the places that are elite, 0 to 1; rounded up to whole places, at least one.

    Raises:
        ValueError: an argument is out of range.
    """

    def __init__(self, size: int = 40, *, elite_share: float = 0.3) -> None:
        if size < 1:
            raise ValueError(f"an elite list needs at least one place, got size {size}")
        if not 0 <= elite_share <= 1:
            raise ValueError(f"elite_share is a share from 0 to 1, got {elite_share}")
        self._size = size
        self._share = elite_share
        # 0.07 · 100 is 7.000000000000001 in binary: without the slack it would be eight places.
        self._elites = max(1, math.ceil(elite_share * size - 1e-9))
        self._ranking = Ranking()

    @property
    def elites(self) -> int:
        """Number of elite places."""
        return self._elites

    @override
    def decide(self, member: Member) -> Placement:
        check_fitness(member)
        self._ranking.refuse_present(member)
        if len(self._ranking) < self._size:
            return Placement(PlacementKind.NEW)
        victim = self._victim()
        if member.fitness[0] > victim.fitness[0]:
            return Placement(PlacementKind.IMPROVED, evicted=(victim.ordinal,))
        level = member.fitness[0] == victim.fitness[0]
        if level and member.ordinal > victim.ordinal and self._elites < self._size:
            return Placement(PlacementKind.KEPT, evicted=(victim.ordinal,))
        return Placement(PlacementKind.NOT_KEPT)

    @override
    def apply(self, member: Member, placement: Placement) -> None:
        for ordinal in placement.evicted:
            self._ranking.pop(ordinal)
        if placement.kept:
            self._ranking.insert(member)

    @override
    def remove(self, ordinal: Ordinal) -> None:
        self._ranking.pop(ordinal)

    @override
    def ranked(self) -> Sequence[Member]:
        return self._ranking.view()

    @override
    def columns(self) -> Columns:
        return self._ranking.columns()

    @override
    def emptied(self) -> EliteList:
        return EliteList(self._size, elite_share=self._share)

    @override
    def copied(self) -> EliteList:
        twin = self.emptied()
        twin._ranking = self._ranking.copied()
        return twin

    @override
    def best(self) -> Member | None:
        return self._ranking[0] if len(self._ranking) else None

    def __len__(self) -> int:
        return len(self._ranking)

    def _victim(self) -> Member:
        """The oldest of the worst members outside the elites; the very last if all places are elite."""
        worst = self._ranking[-1]
        index = max(self._elites, self._ranking.first_not_above(worst.fitness[0]))
        return self._ranking[min(index, len(self._ranking) - 1)]
