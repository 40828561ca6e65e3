"""How far programs are from the initial program, as the run goes on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from speciate.errors import TaskError
from speciate.patches import common_length
from speciate.records import INITIAL, Ordinal, Program
from speciate.reports.manifest import RunFacts
from speciate.reports.timeline import NewBest, Timeline
from speciate.store import RunHistory
from speciate.tasks import TaskSpec, file_language, program_segments, source_tokens

MOST_PROGRAMS = 1000
"""Kept programs whose distance is measured; of more, so many are taken evenly from all."""

_FEWEST_PROGRAMS = 50
_MOST_PAIRS = 4e10
"""Pairs of tokens that are compared in all, about 10¹⁰ a second: of very long programs fewer are measured."""


@dataclass(frozen=True, slots=True)
class SeedDistances:
    """Distances of kept programs and of the best from the initial program, in the order of closing.

    The distance is the share of tokens that the two programs do not have in common in the same order, from 0
    (equal) to 1: 1 − 2·L/(a + b) for sources of a and b tokens with a longest common subsequence of L, which
    is their insert/delete edit distance over its largest possible value. Tokens are words, numbers, texts and
    signs of what may change; comments and layout are left out.

    Attributes:
        ordinals: the kept programs that were measured, shape ``(n,)``.
        closed: candidates closed until then, the program included, shape ``(n,)``.
        distances: 0 to 1, shape ``(n,)``.
        bests: who was the best from when on, oldest first; b of them.
        best_distances: their distances, shape ``(b,)``.
        kept: how many programs were kept in all, whether measured or not.
    """

    ordinals: np.ndarray
    closed: np.ndarray
    distances: np.ndarray
    bests: Sequence[NewBest]
    best_distances: np.ndarray
    kept: int


@dataclass(frozen=True, slots=True)
class DistanceRow:
    """Distances in one part of a run.

    Attributes:
        start: candidates closed before it.
        end: candidates closed at its end.
        measured: kept programs that were measured in it.
        median: their median distance, or None without any.
        low: the tenth percentile, likewise.
        high: the ninetieth percentile, likewise.
        best: the distance of the best at its end, or None without one.
    """

    start: int
    end: int
    measured: int
    median: float | None
    low: float | None
    high: float | None
    best: float | None


def seed_distances(
    history: RunHistory, facts: RunFacts, course: Timeline, *, most: int = MOST_PROGRAMS
) -> SeedDistances:
    """Measures how far the kept programs and the best are from the initial program.

    Args:
        history: the run.
        facts: its manifest, which says what of a program may change.
        course: who was the best from when on.
        most: how many kept programs are measured at most, those that were the best besides.

    Raises:
        StoreError: a program cannot be read.
    """
    initial = history.candidates.get(INITIAL)
    if initial is None or initial.program is None:
        return SeedDistances(
            np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64), np.empty(0), (), np.empty(0), 0
        )
    ruler = _Ruler(history, facts.spec)
    placed = [(place, history.candidates[p.ordinal]) for place, p in enumerate(history.curve(), start=1)]
    kept = [(place, c.ordinal) for place, c in placed if any(found.kept for _, found in c.placements)]
    measured = _evenly(kept, max(_FEWEST_PROGRAMS, min(most, ruler.affordable)))
    return SeedDistances(
        ordinals=np.array([ordinal for _, ordinal in measured], dtype=np.int64),
        closed=np.array([place for place, _ in measured], dtype=np.int64),
        distances=np.array([ruler.distance(ordinal) for _, ordinal in measured], dtype=np.float64),
        bests=course.bests,
        best_distances=np.array([ruler.distance(best.ordinal) for best in course.bests], dtype=np.float64),
        kept=len(kept),
    )


class _Ruler:
    """Measures distances from the initial program; equal programs once.

    Attributes:
        affordable: how many programs can be measured without taking long.
    """

    def __init__(self, history: RunHistory, spec: TaskSpec) -> None:
        self._history, self._spec = history, spec
        self._seed = tokens(history.program(INITIAL), spec)
        self._known: dict[object, float] = {}
        self.affordable = int(_MOST_PAIRS / max(1, len(self._seed)) ** 2)

    def distance(self, ordinal: Ordinal) -> float:
        program = self._history.candidates[ordinal].program
        if program not in self._known:
            found = tokens(self._history.program(ordinal), self._spec)
            self._known[program] = token_distance(self._seed, found)
        return self._known[program]


def distance_rows(found: SeedDistances, closed: int, *, parts: int = 5) -> Sequence[DistanceRow]:
    """Returns the distances in equal parts of the run, oldest first; empty without distances.

    Args:
        found: the distances.
        closed: candidates closed in all.
        parts: how many parts.
    """
    if not len(found.ordinals):
        return []
    edges = np.unique(np.linspace(0, closed, parts + 1).astype(int))
    return [_row(found, int(start), int(end)) for start, end in pairwise(edges)]


def token_distance(before: Sequence[str], after: Sequence[str]) -> float:
    """Returns the share of tokens that are not common to both in the same order, from 0 (equal) to 1."""
    total = len(before) + len(after)
    return 1 - 2 * common_length(before, after) / total if total else 0.0


def tokens(program: Program, spec: TaskSpec) -> list[str]:
    """Returns the tokens of what may change of a program, file by file, without comments.

    Of a program whose markers are malformed, all of it may.
    """
    try:
        files = [
            ("\n".join(s.text for s in file.segments if s.mutable), file.language)
            for file in program_segments(program, spec)
        ]
    except TaskError:  # an opponent of the task's own need not have any
        files = [(text, file_language(name, spec)) for name, text in program.files]
    return [token.text for text, spoken in files for token in source_tokens(text, spoken)]


def _evenly(places: Sequence[tuple[int, Ordinal]], most: int) -> Sequence[tuple[int, Ordinal]]:
    if len(places) <= most:
        return places
    return [places[place] for place in np.linspace(0, len(places) - 1, most).astype(int)]


def _row(found: SeedDistances, start: int, end: int) -> DistanceRow:
    here = (found.closed > start) & (found.closed <= end)
    middle: list[float | None] = [None] * 3
    if here.any():
        middle = [float(value) for value in np.quantile(found.distances[here], [0.5, 0.1, 0.9])]
    before = sum(best.closed <= end for best in found.bests)
    best = float(found.best_distances[before - 1]) if before else None
    return DistanceRow(start, end, int(here.sum()), middle[0], middle[1], middle[2], best)
