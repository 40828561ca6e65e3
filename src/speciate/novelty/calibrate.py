"""What a threshold would have stopped in recorded runs, and whether that would have been right."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from typing_extensions import override

from speciate.novelty.behaviour import Behaviour, behaviour, same_behaviour
from speciate.novelty.embedding import Embedder
from speciate.novelty.hashing import Vector
from speciate.novelty.index import VectorIndex
from speciate.novelty.memory import NoveltyMemory
from speciate.records import (
    Chosen,
    EpochOpened,
    Evaluated,
    Event,
    IslandOpened,
    Migrated,
    NoveltyCheck,
    NoveltyVerdict,
    Ordinal,
    Patched,
    Placed,
    Program,
    RejectedEvent,
    Score,
)
from speciate.store import Occupants, StoreReader
from speciate.tasks import TaskSpec

THRESHOLDS = (0.8, 0.9, 0.95, 0.97, 0.98, 0.99, 0.995, 0.998, 0.999, 0.9999)
"""Thresholds that are shown unless others are asked for."""

TOLERANCE = 1e-9
"""How far values of cases may differ between programs that did the same, see `BehaviourConfig`."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """A recorded program beside the one that it was most like when it was proposed.

    Attributes:
        ordinal: the candidate.
        proposer: who made it.
        operator: how.
        nearest: whom it was most like.
        similarity: their cosine.
        same_behaviour: whether both did the same in every case; None if one of them was not evaluated in the
            same epoch, or their results tell nothing of cases.
        better: whether it scored higher than its parent; None without a score of both.
        verdict: what came of it in the run, or None if it was not compared there.
        audited: whether it was let through although it was to be stopped.
    """

    ordinal: Ordinal
    proposer: str
    operator: str
    nearest: Ordinal
    similarity: float
    same_behaviour: bool | None
    better: bool | None
    verdict: NoveltyVerdict | None = None
    audited: bool = False


def compare_again(reader: StoreReader, spec: TaskSpec, *, recent: int = 1000) -> list[Comparison]:
    """Embeds every program of a run by our own embedding, and compares it as if it were proposed now.

    Whatever a run has turned away is not in it: calibrate on runs that compared nothing.

    Args:
        reader: the run.
        spec: its task's.
        recent: how many of the last programs of an island count, besides its archive.

    Raises:
        StoreCorruptError: the history cannot be read.
    """
    return _Again(reader, spec, recent).comparisons()


def recorded_comparisons(reader: StoreReader) -> list[Comparison]:
    """Returns the comparisons that a run has made and recorded, by whatever embedding, refused ones included.

    Raises:
        StoreCorruptError: the history cannot be read.
    """
    return _Recorded(reader).comparisons()


class _Recorded:
    """Goes through a history and takes the comparisons in it."""

    def __init__(self, reader: StoreReader) -> None:
        self.reader = reader
        self.chosen: dict[Ordinal, Chosen] = {}
        self._made: list[tuple[Ordinal, NoveltyCheck, bool]] = []
        self._results: dict[tuple[Ordinal, int], tuple[Score, Behaviour | None]] = {}

    def comparisons(self) -> list[Comparison]:
        """Returns all comparisons, in the order in which they were made."""
        for stored in self.reader.events():
            self.read(stored.event)
        return [self._comparison(*made) for made in self._made]

    def read(self, event: Event) -> None:
        """Takes one event into account."""
        match event:
            case Chosen():
                self.chosen[event.ordinal] = event
            case Patched() if not self.chosen[event.ordinal].choice.planted:
                self._note(event.ordinal, self.checked(event), patched=True)
            case RejectedEvent():
                self._note(event.ordinal, self.checked(event), patched=False)
            case Evaluated() if event.outcome.result is not None:
                result = event.outcome.result
                known = result.objectives[0], behaviour(result)
                self._results[event.ordinal, event.epoch] = known
            case _:
                pass

    def checked(self, event: Patched | RejectedEvent) -> NoveltyCheck | None:
        """Returns the comparison at the end of an attempt, or None if there was none."""
        return event.novelty

    def _note(self, ordinal: Ordinal, check: NoveltyCheck | None, *, patched: bool) -> None:
        if check is not None and check.nearest is not None:
            self._made.append((ordinal, check, patched))

    def _comparison(self, ordinal: Ordinal, check: NoveltyCheck, patched: bool) -> Comparison:
        chosen = self.chosen[ordinal]
        assert check.nearest is not None  # nothing else was noted
        assert check.similarity is not None
        own, near = (self._results.get((o, chosen.epoch)) for o in (ordinal, check.nearest))
        parent = self._results.get((chosen.parents[0], chosen.epoch)) if chosen.parents else None
        same: bool | None = None
        # A refused attempt is not what its candidate did in the end.
        if patched and own and near and own[1] is not None and near[1] is not None:
            same = same_behaviour(own[1], near[1], TOLERANCE)
        return Comparison(
            ordinal=ordinal,
            proposer=chosen.proposer,
            operator=chosen.operator,
            nearest=check.nearest,
            similarity=check.similarity,
            same_behaviour=same,
            better=own[0] > parent[0] if patched and own and parent else None,
            verdict=check.verdict,
            audited=check.audited,
        )


class _Again(_Recorded):
    """Goes through a history, with archives as they were, and compares anew."""

    def __init__(self, reader: StoreReader, spec: TaskSpec, recent: int) -> None:
        super().__init__(reader)
        self._recent = recent
        self._programs: dict[Ordinal, Patched] = {}
        self._embedder = Embedder(spec)
        self._indexes: defaultdict[int, VectorIndex] = defaultdict(lambda: VectorIndex(self._vector))
        self._memory = NoveltyMemory(watches=True)
        self._occupants = Occupants()

    @override
    def read(self, event: Event) -> None:
        super().read(event)
        match event:
            case Chosen():
                here = sorted(self._occupants.islands.get(event.island, ()))
                self._memory.chosen(event.ordinal, np.array(here, dtype=np.int64))
            case Patched():
                self._programs[event.ordinal] = event
                self._memory.note(event.ordinal, self.chosen[event.ordinal].island, event.fingerprint)
            case Placed():
                self._memory.closed(event.ordinal)
                for island, placement in event.placements:
                    self._occupants.place(event.ordinal, island, placement)
            case Migrated():
                for move in event.moves:
                    self._occupants.move(move)
            case IslandOpened():
                for ordinal, placement in event.copies:
                    self._occupants.place(ordinal, event.island, placement)
            case EpochOpened(kept=False):
                self._occupants = Occupants()
            case _:
                pass

    @override
    def checked(self, event: Patched | RejectedEvent) -> NoveltyCheck | None:
        if isinstance(event, RejectedEvent):
            return None
        chosen = self.chosen[event.ordinal]
        among = self._memory.company(event.ordinal, chosen.island, before=chosen.seen, recent=self._recent)
        self._programs[event.ordinal] = event
        found = self._indexes[chosen.island].nearest(self._vector(event.ordinal), among)
        return None if found is None else NoveltyCheck("apart", found.similarity, found.ordinal)

    def _vector(self, ordinal: Ordinal) -> Vector:
        files = ((name, self.reader.text(digest)) for name, digest in self._programs[ordinal].program)
        return self._embedder.of(Program(tuple(files)))


@dataclass(frozen=True, slots=True)
class ThresholdRow:
    """What one threshold would find suspicious.

    Attributes:
        threshold: a cosine above it is suspicious.
        suspicious: how many comparisons are above it.
        compared: how many comparisons there are.
        same: suspicious programs that did the same as the one they are like, of the `judged` ones.
        judged: suspicious programs of which that is known.
        better: suspicious programs that scored higher than their parents: without a judge they would be lost.
        all_better: all programs that did.
    """

    threshold: float
    suspicious: int
    compared: int
    same: int
    judged: int
    better: int
    all_better: int

    @property
    def share(self) -> float:
        """Share of the programs that is suspicious; 0 of none."""
        return self.suspicious / self.compared if self.compared else 0.0


def threshold_rows(
    comparisons: Sequence[Comparison], thresholds: Sequence[float] = THRESHOLDS
) -> list[ThresholdRow]:
    """Returns what each threshold would find suspicious."""
    rows = []
    for threshold in thresholds:
        above = [c for c in comparisons if c.similarity > threshold]
        rows.append(
            ThresholdRow(
                threshold=threshold,
                suspicious=len(above),
                compared=len(comparisons),
                same=sum(c.same_behaviour is True for c in above),
                judged=sum(c.same_behaviour is not None for c in above),
                better=sum(c.better is True for c in above),
                all_better=sum(c.better is True for c in comparisons),
            )
        )
    return rows


def threshold_for(comparisons: Sequence[Comparison], share: float) -> float | None:
    """Returns the lowest threshold that finds no more than a share of the programs suspicious.

    Args:
        comparisons: recorded ones.
        share: from 0 to 1.

    Returns:
        A similarity that occurs, or −1 if any threshold would do; None without comparisons.
    """
    if not comparisons:
        return None
    falling = sorted((c.similarity for c in comparisons), reverse=True)
    allowed = math.floor(share * len(falling))
    return falling[allowed] if allowed < len(falling) else -1.0
