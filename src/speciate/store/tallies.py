"""Totals of a history."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from speciate.records import FailureKind, Ordinal, Score, Seconds, Step, Usage


@dataclass(frozen=True, slots=True)
class Counts:
    """Totals of a run. Planted programs count as evaluated, not as proposed.

    Attributes:
        proposed: candidates that a proposer was asked for.
        closed: candidates that are closed, the initial program included.
        rejected: candidates that ended before evaluation, by step.
        rejections: rejected attempts by step and reason.
        evaluated: candidates with an outcome in their own epoch; the sum of `valid` and all of `failed`.
        evaluations: runs of candidates for it, repeats counted, none for cached outcomes.
        cached: outcomes taken over from an equal program.
        rescored: runs of candidates for re-scoring in a later epoch.
        valid: candidates with a score in their own epoch.
        failed: failed candidates by kind.
        usage: tokens and money of all model calls.
        queries: the part of `usage` that candidates spent themselves while they were evaluated.
        model_seconds: wall time of all other model calls, added up.
        evaluation_seconds: wall time of all evaluations, added up.
    """

    proposed: int = 0
    closed: int = 0
    rejected: Mapping[Step, int] = field(default_factory=dict)
    rejections: Mapping[Step, Mapping[str, int]] = field(default_factory=dict)
    evaluated: int = 0
    evaluations: int = 0
    cached: int = 0
    rescored: int = 0
    valid: int = 0
    failed: Mapping[FailureKind, int] = field(default_factory=dict)
    usage: Usage = field(default_factory=Usage)
    queries: Usage = field(default_factory=Usage)
    model_seconds: Seconds = 0.0
    evaluation_seconds: Seconds = 0.0


@dataclass(frozen=True, slots=True)
class ProposerCounts:
    """What one proposer has done. Its cost is `usage.cost`, None when a price is unknown.

    Attributes:
        assigned: candidates given to it.
        finished: those that are closed; one that a stop left evaluated and without a place is not.
        valid: those of the finished with a score.
        improved: those that became the best of their epoch.
        usage: tokens and money of all model calls for its candidates, judges included.
        seconds: wall time of these calls.
    """

    assigned: int = 0
    finished: int = 0
    valid: int = 0
    improved: int = 0
    usage: Usage = field(default_factory=Usage)
    seconds: Seconds = 0.0


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """A run's state as one candidate closed.

    Attributes:
        ordinal: the candidate.
        epoch: the epoch it was chosen in; scores of different epochs cannot be compared.
        score: its first objective, higher is better, or None without one.
        best: the best score of its epoch so far, or None if there is none.
    """

    ordinal: Ordinal
    epoch: int
    score: Score | None
    best: Score | None


@dataclass(frozen=True, slots=True)
class Unanswered:
    """A request that was sent, or was about to be, and whose reply is not in the history: uncertain spend.

    Attributes:
        ordinal: the candidate that pays.
        attempt: its attempt.
        purpose: what the call was for.
        model: the model's spec.
        reserved: worst-case dollars, or None when the price is unknown.
    """

    ordinal: Ordinal
    attempt: int
    purpose: str
    model: str
    reserved: float | None
