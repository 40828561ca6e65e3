"""What went wrong, by kind and cause."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from speciate.records import FailureKind, Ordinal, Seconds, Step
from speciate.store import RunHistory


@dataclass(frozen=True, slots=True)
class FailureRow:
    """Failed evaluations of one kind from one operator of one proposer.

    Attributes:
        kind: why they failed.
        operator: how the candidates were made.
        proposer: who made them.
        count: how many there are.
        seconds: wall time of these evaluations, added up.
        example: the first of them.
        message: what was said of it.
    """

    kind: FailureKind
    operator: str
    proposer: str
    count: int
    seconds: Seconds
    example: Ordinal
    message: str


@dataclass(frozen=True, slots=True)
class RejectionRow:
    """Attempts that ended before evaluation, for one reason.

    Attributes:
        step: where they ended.
        reason: the short code of the reason.
        attempts: how many attempts there are.
        final: how many of them closed their candidate.
        example: the candidate of the first of them.
        message: what was said of it.
    """

    step: Step
    reason: str
    attempts: int
    final: int
    example: Ordinal
    message: str


def failures(history: RunHistory) -> Sequence[FailureRow]:
    """Returns the failed evaluations in the candidates' own epochs, the most frequent first."""
    rows: dict[tuple[FailureKind, str, str], FailureRow] = {}
    for ordinal, candidate in history.candidates.items():
        outcome, choice = candidate.outcome, candidate.choice
        if outcome is None or outcome.failure is None:
            continue
        key = outcome.failure.kind, choice.operator, choice.proposer
        row = rows.get(key) or FailureRow(*key, 0, 0.0, ordinal, outcome.failure.message)
        rows[key] = FailureRow(*key, row.count + 1, row.seconds + outcome.seconds, row.example, row.message)
    return sorted(rows.values(), key=lambda row: (-row.count, row.kind, row.operator, row.proposer))


def rejections(history: RunHistory) -> Sequence[RejectionRow]:
    """Returns the rejected attempts, the most frequent first."""
    rows: dict[tuple[Step, str], RejectionRow] = {}
    for ordinal, candidate in history.candidates.items():
        for rejected in candidate.rejections:
            key = rejected.step, rejected.reason
            row = rows.get(key) or RejectionRow(*key, 0, 0, ordinal, rejected.message)
            rows[key] = RejectionRow(
                *key, row.attempts + 1, row.final + rejected.final, row.example, row.message
            )
    return sorted(rows.values(), key=lambda row: (-row.attempts, row.step, row.reason))
