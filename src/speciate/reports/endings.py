"""How candidates ended, crossed with operator, proposer and the time it took."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from speciate.records import Dollars, FailureKind, Seconds, Usage
from speciate.store import Candidate, RunHistory

VALID = "valid"


@dataclass(frozen=True, slots=True)
class Ended:
    """Candidates that ended in one way.

    Attributes:
        candidates: how many.
        usage: tokens and money of their model calls.
        model_seconds: wall time of these calls, added up.
        evaluation_seconds: wall time of their evaluations, added up.
    """

    candidates: int = 0
    usage: Usage = field(default_factory=Usage)
    model_seconds: Seconds = 0.0
    evaluation_seconds: Seconds = 0.0

    @property
    def seconds(self) -> Seconds:
        """Wall time of all that was done for them."""
        return self.model_seconds + self.evaluation_seconds

    @property
    def cost(self) -> Dollars | None:
        """Dollars, or None when a price is unknown."""
        return self.usage.cost


@dataclass(frozen=True, slots=True)
class EndingRow:
    """All closed candidates that one proposer made with one operator.

    Attributes:
        operator: how they were made.
        proposer: who made them.
        endings: by ``valid``, the kind of the failure, or step and reason of the last rejection.
    """

    operator: str
    proposer: str
    endings: Mapping[str, Ended]

    @property
    def total(self) -> Ended:
        """All of them together."""
        total = Ended()
        for ended in self.endings.values():
            total = _joined(total, ended)
        return total

    @property
    def lost(self) -> float | None:
        """Share of their time that went into those that are not valid, or None if none was taken."""
        whole = self.total.seconds
        return 1 - self.endings.get(VALID, Ended()).seconds / whole if whole > 0 else None


def endings(history: RunHistory) -> Sequence[EndingRow]:
    """Returns how the candidates of each operator and proposer ended, those with most candidates first."""
    found: dict[tuple[str, str], dict[str, Ended]] = {}
    for candidate in history.candidates.values():
        if candidate.choice.planted or candidate.status == "open":
            continue
        row = found.setdefault((candidate.choice.operator, candidate.choice.proposer), {})
        ending = ending_of(candidate)
        row[ending] = _joined(row.get(ending, Ended()), _one(candidate))
    rows = [EndingRow(operator, proposer, by) for (operator, proposer), by in found.items()]
    return sorted(rows, key=lambda row: (-row.total.candidates, row.operator, row.proposer))


def ending_of(candidate: Candidate) -> str:
    """Returns in a word how a closed candidate ended."""
    outcome = candidate.outcome
    if outcome is not None:
        return VALID if outcome.failure is None else outcome.failure.kind.value
    last = candidate.rejections[-1]  # what was never evaluated was turned away
    return f"{last.step} {last.reason}"


def columns(rows: Sequence[EndingRow]) -> Sequence[str]:
    """Returns the endings that occur: valid, then failures, then rejections, the most frequent first."""
    counts: dict[str, int] = {}
    for row in rows:
        for ending, ended in row.endings.items():
            counts[ending] = counts.get(ending, 0) + ended.candidates
    kinds = {kind.value for kind in FailureKind}
    return sorted(counts, key=lambda name: (name != VALID, name not in kinds, -counts[name], name))


def _one(candidate: Candidate) -> Ended:
    return Ended(1, candidate.usage, candidate.model_seconds, candidate.evaluation_seconds)


def _joined(one: Ended, other: Ended) -> Ended:
    return Ended(
        one.candidates + other.candidates,
        one.usage + other.usage,
        one.model_seconds + other.model_seconds,
        one.evaluation_seconds + other.evaluation_seconds,
    )
