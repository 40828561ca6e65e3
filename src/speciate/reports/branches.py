"""How many lines of descent are still alive, and how far back the archive's common ancestor lies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from speciate.records import INITIAL, Ordinal
from speciate.reports.timeline import Timeline
from speciate.store import RunHistory


@dataclass(frozen=True, slots=True)
class Branches:
    """The lines of descent in the archives, one entry a moment; all arrays have shape ``(m,)``.

    A branch begins with a child of a planted program, or with a program made from nothing; a planted program
    that lives on is a branch of its own. Descent is by first parents.

    Attributes:
        closed: candidates closed until then.
        epochs: the epoch of the archives.
        occupants: who lives there, all islands together, each once.
        alive: branches with an occupant.
        effective: how many equally large branches would be as diverse, exp(−Σ p ln p) over their shares p
            (Hill 1973, order 1); NaN while the archives are empty.
        largest: share of the occupants that the largest branch holds; NaN while the archives are empty.
        founders: with which program that branch begins; −1 while the archives are empty.
        ancestors: the youngest program from which all occupants descend, or which is the only one; −1 if
            there is none.
        ages: candidates that were closed since that program was; NaN if there is none.
        heads: the youngest program from which at least half of the occupants descend; −1 if there is none.
    """

    closed: np.ndarray
    epochs: np.ndarray
    occupants: np.ndarray
    alive: np.ndarray
    effective: np.ndarray
    largest: np.ndarray
    founders: np.ndarray
    ancestors: np.ndarray
    ages: np.ndarray
    heads: np.ndarray


def branches(history: RunHistory, course: Timeline) -> Branches:
    """Follows the lines of descent.

    Args:
        history: the run.
        course: the course of its archives.
    """
    parents = {o: next(iter(c.choice.parents), -1) for o, c in history.candidates.items()}
    founders, closings = _founders(history), _closings(history)
    shares = [_shares(snapshot.occupants, founders) for snapshot in course.snapshots]
    common = [_youngest(snapshot.occupants, parents) for snapshot in course.snapshots]
    largest = [
        max(found.items(), key=lambda item: (item[1], -item[0]), default=(-1, np.nan)) for found in shares
    ]
    return Branches(
        closed=np.array([snapshot.closed for snapshot in course.snapshots], dtype=np.int64),
        epochs=np.array([snapshot.epoch for snapshot in course.snapshots], dtype=np.int64),
        occupants=np.array([len(snapshot.occupants) for snapshot in course.snapshots], dtype=np.int64),
        alive=np.array([len(found) for found in shares], dtype=np.int64),
        effective=np.array([effective_number(list(found.values())) for found in shares], dtype=np.float64),
        largest=np.array([share for _, share in largest], dtype=np.float64),
        founders=np.array([founder for founder, _ in largest], dtype=np.int64),
        ancestors=np.array([ancestor for ancestor, _ in common], dtype=np.int64),
        ages=np.array(
            [
                snapshot.closed - closings[ancestor] if ancestor in closings else np.nan
                for snapshot, (ancestor, _) in zip(course.snapshots, common, strict=True)
            ],
            dtype=np.float64,
        ),
        heads=np.array([head for _, head in common], dtype=np.int64),
    )


def effective_number(shares: Sequence[float]) -> float:
    """Returns how many equal parts would be as diverse as these: exp(−Σ p ln p); NaN without any.

    It is the Hill number of order 1, the exponential of Shannon's entropy (Hill 1973, "Diversity and
    evenness: a unifying notation and its consequences").

    Args:
        shares: positive, with the sum 1.
    """
    if not shares:
        return float("nan")
    p = np.array(shares, dtype=np.float64)
    return float(np.exp(-(p * np.log(p)).sum()))


def _founders(history: RunHistory) -> Mapping[Ordinal, Ordinal]:
    founders: dict[Ordinal, Ordinal] = {}
    for ordinal, candidate in history.candidates.items():  # parents are chosen before their children
        parent = next(iter(candidate.choice.parents), None)
        rooted = parent is None or history.candidates[parent].choice.planted
        founders[ordinal] = ordinal if parent is None or rooted else founders[parent]
    return founders


def _closings(history: RunHistory) -> Mapping[Ordinal, int]:
    """Returns after how many closed candidates each one was closed itself, itself included."""
    return {point.ordinal: place for place, point in enumerate(history.curve(), start=1)}


def _shares(occupants: Sequence[Ordinal], founders: Mapping[Ordinal, Ordinal]) -> dict[Ordinal, float]:
    counts = Counter(founders[ordinal] for ordinal in occupants)
    return {founder: count / len(occupants) for founder, count in sorted(counts.items())}


def _youngest(occupants: Sequence[Ordinal], parents: Mapping[Ordinal, Ordinal]) -> tuple[Ordinal, Ordinal]:
    """Returns the youngest program with all occupants among its line, and that with half of them; else −1.

    Counts run down from the youngest program to the oldest, each handing its own on to its parent, which is
    older: one look at each ancestor.
    """
    below = dict.fromkeys(occupants, 1)
    head = -1
    for ordinal in range(max(occupants, default=-1), INITIAL - 1, -1):
        count = below.get(ordinal, 0)
        if head < 0 and 2 * count >= len(occupants):
            head = ordinal
        if count == len(occupants):
            return ordinal, head
        if count and (parent := parents[ordinal]) >= 0:
            below[parent] = below.get(parent, 0) + count
    return -1, head
