"""Whether the way to the best led over programs that were nothing special, and who was built upon."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from speciate.records import Objective, Ordinal
from speciate.reports.timeline import Standing, Timeline
from speciate.store import Candidate, RunHistory

MOST_USED = 5
"""Programs with the most children that are named."""


class Rank(StrEnum):
    """What a valid candidate was when it was placed, by the first objective."""

    PLANTED = "planted"  # nobody proposed it
    BEST = "new best"
    UPPER = "upper half"  # kept, and at most half of the occupants scored better
    LOWER = "lower half"  # kept, and more than half of the occupants scored better: it was mediocre
    NOT_KEPT = "not kept"


@dataclass(frozen=True, slots=True)
class RankRow:
    """Valid candidates of one rank, and what came of them as first parents.

    Attributes:
        rank: what they were when they were placed.
        programs: how many there are.
        parents: how many of them have children.
        children: their closed children, together.
        valid: the valid ones of these.
        new_bests: those of these that became the best of their epoch.
        on_path: how many of the programs are ancestors of the best, or the best itself.
    """

    rank: Rank
    programs: int
    parents: int
    children: int
    valid: int
    new_bests: int
    on_path: int


@dataclass(frozen=True, slots=True)
class Use:
    """How often one program was built upon.

    Attributes:
        ordinal: the program.
        rank: what it was when it was placed.
        score: its first objective in its own epoch, in the user's own direction.
        children: candidates that changed it (its place as a first parent).
        joined: candidates that had it as a further parent.
        shown: candidates that were shown it as an inspiration.
        on_path: whether the best descends from it.
    """

    ordinal: Ordinal
    rank: Rank
    score: float | None
    children: int
    joined: int
    shown: int
    on_path: bool


@dataclass(frozen=True, slots=True)
class SteppingStones:
    """What the programs on the way were when they were placed.

    Attributes:
        rows: what came of candidates of each rank that occurs, in the order of `Rank`.
        ancestors: programs between the initial program and the best, both left out.
        never_best: how many of them were not the best when they were placed.
        mediocre: how many of them were in the lower half, or were not kept at all.
        new_bests: candidates that became the best of their epoch, planted ones left out.
        from_others: how many of these have a first parent that had not been the best itself.
        from_mediocre: how many of these have a first parent that had been in the lower half or not kept.
        unused: share of the valid candidates that nobody was made of, or None without any.
        most_used: the programs with the most children, most first.
    """

    rows: Sequence[RankRow]
    ancestors: int
    never_best: int
    mediocre: int
    new_bests: int
    from_others: int
    from_mediocre: int
    unused: float | None
    most_used: Sequence[Use]

    @property
    def mediocre_share(self) -> float | None:
        """Share of the ancestors that were mediocre, or None without ancestors."""
        return self.mediocre / self.ancestors if self.ancestors else None


def stepping_stones(history: RunHistory, course: Timeline, objective: Objective) -> SteppingStones:
    """Says what the ancestors of the best were when they were placed, and what came of whom.

    Args:
        history: the run.
        course: the course of its archives.
        objective: the first objective, whose direction the scores get.
    """
    valid = {o: c for o, c in history.candidates.items() if c.status == "valid"}
    ranks = {ordinal: _rank(valid[ordinal], course.standings[ordinal]) for ordinal in valid}
    line = _line(history)
    between = [ranks[o] for o in line[1:-1] if o in ranks]
    parents = [
        ranks[c.choice.parents[0]]
        for o, c in valid.items()
        if ranks[o] is Rank.BEST and c.choice.parents and c.choice.parents[0] in ranks
    ]
    used = _uses(history, ranks, set(line), objective)
    return SteppingStones(
        rows=_rows(history, ranks, set(line)),
        ancestors=len(between),
        never_best=sum(rank not in (Rank.BEST, Rank.PLANTED) for rank in between),
        mediocre=sum(rank in _MEDIOCRE for rank in between),
        new_bests=len(parents),
        from_others=sum(rank not in (Rank.BEST, Rank.PLANTED) for rank in parents),
        from_mediocre=sum(rank in _MEDIOCRE for rank in parents),
        unused=sum(not use.children for use in used) / len(used) if used else None,
        most_used=[use for use in used[:MOST_USED] if use.children],
    )


_MEDIOCRE = (Rank.LOWER, Rank.NOT_KEPT)


def _rank(candidate: Candidate, standing: Standing) -> Rank:
    if candidate.choice.planted:
        return Rank.PLANTED
    if standing.best:
        return Rank.BEST
    if not standing.kept:
        return Rank.NOT_KEPT
    return Rank.LOWER if (standing.better or 0.0) > 0.5 else Rank.UPPER


def _line(history: RunHistory) -> list[Ordinal]:
    best = history.best()
    return [] if best is None else [ancestor.ordinal for ancestor in history.lineage(best.ordinal)]


def _rows(history: RunHistory, ranks: dict[Ordinal, Rank], line: set[Ordinal]) -> Sequence[RankRow]:
    programs, on_path = Counter(ranks.values()), Counter(ranks[o] for o in line if o in ranks)
    closed, valid, bests = Counter[Rank](), Counter[Rank](), Counter[Rank]()
    parents: dict[Rank, set[Ordinal]] = {rank: set() for rank in Rank}
    for candidate in history.candidates.values():
        parent = next(iter(candidate.choice.parents), None)
        if parent not in ranks or candidate.status == "open":
            continue
        rank = ranks[parent]
        parents[rank].add(parent)
        closed[rank] += 1
        valid[rank] += candidate.status == "valid"
        bests[rank] += candidate.best
    return [
        RankRow(
            rank,
            programs[rank],
            len(parents[rank]),
            closed[rank],
            valid[rank],
            bests[rank],
            on_path[rank],
        )
        for rank in Rank
        if programs[rank]
    ]


def _uses(
    history: RunHistory, ranks: dict[Ordinal, Rank], line: set[Ordinal], objective: Objective
) -> Sequence[Use]:
    children, joined, shown = Counter[Ordinal](), Counter[Ordinal](), Counter[Ordinal]()
    for candidate in history.candidates.values():
        children.update(candidate.choice.parents[:1])
        joined.update(candidate.choice.parents[1:])
        shown.update(candidate.choice.inspirations)
    uses = [
        Use(
            ordinal,
            rank,
            None if (score := history.candidates[ordinal].score) is None else objective.outward(score),
            children[ordinal],
            joined[ordinal],
            shown[ordinal],
            ordinal in line,
        )
        for ordinal, rank in ranks.items()
    ]
    return sorted(uses, key=lambda use: (-use.children, use.ordinal))
