"""What each proposer and operator did, what it cost, and where the time went."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from speciate.records import Dollars, Seconds, Usage
from speciate.store import Candidate, RunHistory


@dataclass(frozen=True, slots=True)
class Work:
    """What a group of candidates came to. A cost of None is unknown, never 0.

    Attributes:
        assigned: candidates chosen for it.
        finished: those that are closed.
        rejected: those that ended before evaluation.
        failed: those whose evaluation failed.
        valid: those with a score.
        improved: those that became the best of their epoch.
        usage: tokens and money of their model calls, judges included.
        model_seconds: wall time of these calls, added up.
        evaluation_seconds: wall time of their evaluations, added up.
    """

    assigned: int = 0
    finished: int = 0
    rejected: int = 0
    failed: int = 0
    valid: int = 0
    improved: int = 0
    usage: Usage = field(default_factory=Usage)
    model_seconds: Seconds = 0.0
    evaluation_seconds: Seconds = 0.0

    @property
    def cost(self) -> Dollars | None:
        """Dollars of all calls, or None when a price is unknown."""
        return self.usage.cost

    @property
    def valid_share(self) -> float | None:
        """Share of the finished ones that are valid, or None while none is finished."""
        return self.valid / self.finished if self.finished else None


@dataclass(frozen=True, slots=True)
class Timing:
    """Where the time went, in seconds. Candidates overlap, so the parts may add up to more than the whole.

    Attributes:
        wall: wall time of all sessions.
        models: wall time of all model calls, added up.
        evaluations: wall time of all evaluations, added up, the initial program and re-scoring included.
        evaluation_cpu: CPU time of all evaluations, added up.
    """

    wall: Seconds
    models: Seconds
    evaluations: Seconds
    evaluation_cpu: Seconds

    @property
    def busy(self) -> float | None:
        """Mean number of model calls and evaluations that went on at once, or None without wall time."""
        return (self.models + self.evaluations) / self.wall if self.wall > 0 else None


def by_proposer(history: RunHistory) -> Mapping[str, Work]:
    """Returns the work of each proposer, in the order in which they were first chosen."""
    return _grouped(history, lambda candidate: candidate.choice.proposer)


def by_operator(history: RunHistory) -> Mapping[str, Work]:
    """Returns the work of each operator, in the order in which they were first chosen."""
    return _grouped(history, lambda candidate: candidate.choice.operator)


def timing(history: RunHistory) -> Timing:
    """Says where the time went."""
    counts = history.counts()
    outcomes = (outcome for c in history.candidates.values() for _, outcome in c.outcomes)
    return Timing(
        wall=math.fsum(session.seconds for session in history.reader.sessions()),
        models=counts.model_seconds,
        evaluations=counts.evaluation_seconds,
        evaluation_cpu=math.fsum(outcome.cpu_seconds for outcome in outcomes),
    )


def models_used(history: RunHistory) -> Sequence[str]:
    """Returns the names of the models that answered, as their providers name them, sorted."""
    return sorted({c.model for c in history.candidates.values() if c.model is not None})


def _grouped(history: RunHistory, name: Callable[[Candidate], str]) -> Mapping[str, Work]:
    groups: dict[str, Work] = {}
    for candidate in history.candidates.values():
        if not candidate.choice.planted:
            group = name(candidate)
            groups[group] = _with(groups.get(group, Work()), candidate)
    return groups


def _with(work: Work, candidate: Candidate) -> Work:
    return replace(
        work,
        assigned=work.assigned + 1,
        finished=work.finished + (candidate.status != "open"),
        rejected=work.rejected + (candidate.status == "rejected"),
        failed=work.failed + (candidate.status == "failed"),
        valid=work.valid + (candidate.status == "valid"),
        improved=work.improved + candidate.best,
        usage=work.usage + candidate.usage,
        model_seconds=work.model_seconds + candidate.model_seconds,
        evaluation_seconds=work.evaluation_seconds + candidate.evaluation_seconds,
    )
