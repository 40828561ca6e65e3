"""Who lived in the archives as a run went on, and how each candidate stood when it was placed."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from speciate.records import EpochOpened, Event, IslandOpened, Migrated, Ordinal, Placed, Score
from speciate.store import Occupants, RunHistory

SNAPSHOTS = 60
"""Moments of a run at which the archives are looked at, evenly spread over the candidates closed."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How a candidate stood when it was placed, by the first objective.

    Attributes:
        best: whether it became the best of its epoch.
        kept: whether an archive kept it.
        better: share of the occupants of that moment, all islands together, that scored better; None for one
            without a score.
    """

    best: bool
    kept: bool
    better: float | None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The archives of a moment, all islands together.

    Attributes:
        closed: candidates closed until then.
        epoch: the epoch of the archives.
        occupants: who lives there, each once, increasing.
    """

    closed: int
    epoch: int
    occupants: tuple[Ordinal, ...]


@dataclass(frozen=True, slots=True)
class NewBest:
    """A program that became the best of an epoch, as a new one or because it was scored again.

    Attributes:
        closed: candidates closed until then, itself included if it is new.
        epoch: the epoch.
        ordinal: the program.
    """

    closed: int
    epoch: int
    ordinal: Ordinal


@dataclass(frozen=True, slots=True)
class Timeline:
    """The course of the archives.

    Attributes:
        standings: by ordinal, of the closed candidates.
        bests: who was the best from when on.
        snapshots: oldest first; the last one is the end of what was read.
    """

    standings: Mapping[Ordinal, Standing]
    bests: Sequence[NewBest]
    snapshots: Sequence[Snapshot]


def timeline(history: RunHistory, events: Iterable[Event], *, snapshots: int = SNAPSHOTS) -> Timeline:
    """Follows the archives from event to event.

    Args:
        history: the run.
        events: its events in order of arrival; those that move nobody may be missing.
        snapshots: how many moments are looked at; more when epochs begin, whose archives begin anew.
    """
    course = _Course(history, snapshots)
    for event in events:
        course.apply(event)
    return Timeline(course.standings, course.bests, course.taken())


class _Course:
    """The archives and the scores in them, by epoch."""

    def __init__(self, history: RunHistory, snapshots: int) -> None:
        self.standings: dict[Ordinal, Standing] = {}
        self.bests: list[NewBest] = []
        self._history = history
        self._epoch = 0
        self._closed = 0
        self._occupants: defaultdict[int, Occupants] = defaultdict(Occupants)
        self._scores: defaultdict[int, list[Score]] = defaultdict(list)
        self._snapshots: list[Snapshot] = []
        marks = np.linspace(1, max(1, history.counts().closed), snapshots)
        self._marks = {int(mark) for mark in marks}

    def apply(self, event: Event) -> None:
        match event:
            case Placed():
                self._placed(event)
            case Migrated():
                for move in event.moves:
                    self._left(self._epoch, self._occupants[self._epoch].move(move))
            case IslandOpened():
                for ordinal, placement in event.copies:
                    here = self._occupants[self._epoch]
                    self._left(self._epoch, here.place(ordinal, event.island, placement))
            case EpochOpened():
                self._take()
                if event.kept:
                    self._occupants[event.epoch] = self._occupants[self._epoch].copied()
                    self._scores[event.epoch] = self._scores[self._epoch].copy()
                self._epoch = event.epoch
            case _:
                pass

    def taken(self) -> list[Snapshot]:
        """Returns the snapshots, that of the present moment included."""
        self._take()
        return self._snapshots

    def _placed(self, event: Placed) -> None:
        score = self._history.score(event.ordinal, event.epoch)
        if event.part == "":  # else an occupant that is scored again in a later epoch
            self.standings[event.ordinal] = self._standing(event, score)
        kept, gone, here = False, list[Ordinal](), self._occupants[event.epoch]
        for island, placement in event.placements:
            gone += here.place(event.ordinal, island, placement)
            kept = kept or placement.kept
        if kept and score is not None:
            insort(self._scores[event.epoch], score)
        self._left(event.epoch, gone)
        self._closed += event.part == ""
        if event.best:
            # Of all that are scored again as an epoch opens, the last that was best by then is the one.
            if self.bests and self.bests[-1].closed == self._closed:
                self.bests.pop()
            self.bests.append(NewBest(self._closed, event.epoch, event.ordinal))
        if event.part == "" and self._closed in self._marks:
            self._take()

    def _standing(self, event: Placed, score: Score | None) -> Standing:
        kept, better = any(placement.kept for _, placement in event.placements), None
        if score is not None:
            scores = self._scores[event.epoch]
            better = (len(scores) - bisect_right(scores, score)) / len(scores) if scores else 0.0
        return Standing(event.best, kept, better)

    def _left(self, epoch: int, gone: Iterable[Ordinal]) -> None:
        scores = self._scores[epoch]
        for ordinal in gone:
            score = self._history.score(ordinal, epoch)
            if score is not None:
                place = bisect_left(scores, score)
                if place < len(scores) and scores[place] == score:
                    del scores[place]

    def _take(self) -> None:
        islands = self._occupants[self._epoch].islands
        occupants = tuple(sorted({ordinal for members in islands.values() for ordinal in members}))
        snapshot = Snapshot(self._closed, self._epoch, occupants)
        if not self._snapshots or self._snapshots[-1] != snapshot:
            self._snapshots.append(snapshot)
