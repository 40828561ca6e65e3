"""What happened on each island."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from speciate.records import Event, IslandOpened, Migrated, Objective, Ordinal, Score
from speciate.store import RunHistory


@dataclass(frozen=True, slots=True)
class IslandRow:
    """One island. Numbers of migrants are those that were kept where they went.

    Attributes:
        island: its number.
        opened: the candidate after whose placement it was opened, or None if it was there from the beginning.
        occupants: who lives there at the end.
        best: the best score by which an occupant stands (of an earlier round where archives kept theirs), in
            the user's own direction; None without any.
        best_ordinal: who has it, or None.
        candidates: candidates chosen for it, planted ones left out.
        valid: the valid ones of these.
        new_bests: those that became the best of their epoch.
        came: migrants that came.
        left: migrants that left.
    """

    island: int
    opened: Ordinal | None
    occupants: int
    best: float | None
    best_ordinal: Ordinal | None
    candidates: int
    valid: int
    new_bests: int
    came: int
    left: int


def island_rows(history: RunHistory, events: Iterable[Event], objective: Objective) -> Sequence[IslandRow]:
    """Returns one row an island, by number.

    Args:
        history: the run.
        events: its events in order of arrival; those without migrants and islands may be missing.
        objective: the first objective, whose direction the scores get.
    """
    tallies: dict[int, _Tally] = {}
    for event in events:
        match event:
            case IslandOpened():
                tallies.setdefault(event.island, _Tally()).opened = event.ordinal
            case Migrated():
                for move in event.moves:
                    if move.placement.kept:
                        tallies.setdefault(move.source, _Tally()).left += 1
                        tallies.setdefault(move.target, _Tally()).came += 1
            case _:
                pass
    for candidate in history.candidates.values():
        if not candidate.choice.planted:
            tally = tallies.setdefault(candidate.choice.island, _Tally())
            tally.candidates += 1
            tally.valid += candidate.status == "valid"
            tally.new_bests += candidate.best
    for island, members in history.members().items():
        tallies.setdefault(island, _Tally()).members = list(members)
    return [_row(history, island, tally, objective) for island, tally in sorted(tallies.items())]


@dataclass(slots=True)
class _Tally:
    opened: Ordinal | None = None
    members: list[Ordinal] = field(default_factory=list)
    candidates: int = 0
    valid: int = 0
    new_bests: int = 0
    came: int = 0
    left: int = 0


def _row(history: RunHistory, island: int, tally: _Tally, objective: Objective) -> IslandRow:
    scored: list[tuple[Score, Ordinal]] = []
    for ordinal in tally.members:
        score = history.score(ordinal)
        if score is not None:
            scored.append((score, -ordinal))
    best = max(scored, default=None)
    return IslandRow(
        island=island,
        opened=tally.opened,
        occupants=len(tally.members),
        best=None if best is None else objective.outward(best[0]),
        best_ordinal=None if best is None else -best[1],
        candidates=tally.candidates,
        valid=tally.valid,
        new_bests=tally.new_bests,
        came=tally.came,
        left=tally.left,
    )
