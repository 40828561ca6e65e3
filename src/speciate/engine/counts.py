"""Running totals of a history."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from speciate.records import Evaluated, Seconds, Usage


@dataclass
class ProposerCounts:
    """What one proposer has done.

    Attributes:
        assigned: candidates given to it.
        finished: candidates of it that are closed.
        valid: candidates with a score.
        improved: candidates that became the best of their epoch.
        usage: tokens and money of its calls.
        seconds: wall time its calls took.
    """

    assigned: int = 0
    finished: int = 0
    valid: int = 0
    improved: int = 0
    usage: Usage = field(default_factory=Usage)
    seconds: Seconds = 0.0


@dataclass
class Counts:
    """Totals of a run; the initial program is counted as evaluated and valid, not as proposed.

    Attributes:
        proposed: ordinals issued after the initial program.
        closed: ordinals that have been placed, the initial program included.
        evaluations: runs of candidates outside re-scoring.
        cached: outcomes reused from an equal program.
        rescored: runs of candidates for re-scoring.
        valid: outcomes with a score.
        rejected: final rejections by step.
        failed: failures by kind.
        usage: tokens and money of all model calls.
        evaluation_seconds: wall time of all evaluations, added up.
    """

    proposed: int = 0
    closed: int = 0
    evaluations: int = 0
    cached: int = 0
    rescored: int = 0
    valid: int = 0
    rejected: Counter[str] = field(default_factory=Counter)
    failed: Counter[str] = field(default_factory=Counter)
    usage: Usage = field(default_factory=Usage)
    evaluation_seconds: Seconds = 0.0

    def note_outcome(self, event: Evaluated, *, rescored: bool) -> None:
        """Adds one evaluation."""
        outcome = event.outcome
        self.evaluation_seconds += outcome.seconds
        if rescored:
            self.rescored += outcome.evaluations
            return
        self.cached += event.cached is not None
        self.evaluations += outcome.evaluations
        if outcome.failure is None:
            self.valid += 1
        else:
            self.failed[outcome.failure.kind] += 1
