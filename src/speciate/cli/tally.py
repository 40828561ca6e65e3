"""What a progress line needs to know, counted from events as they happen."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Self

from speciate.engine import BudgetConfig, Observer
from speciate.records import (
    EpochOpened,
    Evaluated,
    Event,
    Ordinal,
    Placed,
    RejectedEvent,
    Replied,
    RoundEnded,
    Score,
    Seconds,
    Usage,
)
from speciate.store import RunHistory


class Tally(Observer):
    """Counts. Reading while a run writes is safe: every number changes in one step.

    Args:
        clock: seconds from any origin.
    """

    def __init__(self, clock: Callable[[], Seconds] = time.monotonic) -> None:
        self._clock = clock
        self._began = clock()
        self._earlier: Seconds = 0.0
        self._closed_before = 0
        self._scores: dict[Ordinal, Score] = {}
        self.closed = 0
        self.valid = 0
        self.rejected = 0
        self.evaluations = 0
        self.usage = Usage()
        self.round = 0
        self.best: Score | None = None
        self.best_ordinal: Ordinal | None = None

    @classmethod
    def after(cls, history: RunHistory, clock: Callable[[], Seconds] = time.monotonic) -> Self:
        """Returns a tally that goes on where a history ends."""
        tally, counts, best = cls(clock), history.counts(), history.best()
        tally._earlier = sum(session.seconds for session in history.reader.sessions())
        tally._closed_before = tally.closed = counts.closed
        tally.valid, tally.rejected = counts.valid, sum(counts.rejected.values())
        tally.evaluations, tally.usage = counts.evaluations, counts.usage
        for candidate in history.candidates.values():
            if candidate.status == "open" and candidate.score is not None:
                tally._scores[candidate.ordinal] = candidate.score
        tally.round = len(history.rounds)
        if best is not None:
            tally.best, tally.best_ordinal = history.score(best.ordinal), best.ordinal
        return tally

    def on_event(self, event: Event) -> None:
        """Counts one event."""
        match event:
            case Evaluated():
                self.evaluations += event.outcome.evaluations
                if event.outcome.fitness is not None:
                    self._scores[event.ordinal] = event.outcome.fitness[0]
            case Placed():
                self._placed(event)
            case RejectedEvent(final=True):
                self.rejected += 1
            case Replied():
                self.usage = self.usage + event.usage
            case RoundEnded():
                self.round += 1
            case EpochOpened(kept=False):
                self.best = self.best_ordinal = None
            case _:
                pass

    def _placed(self, event: Placed) -> None:
        score = self._scores.pop(event.ordinal, None)
        if event.part == "":  # else it was scored again in a new epoch and is counted already
            self.closed += 1
            self.valid += score is not None
        if event.best and score is not None:
            self.best, self.best_ordinal = score, event.ordinal

    @property
    def session_seconds(self) -> Seconds:
        """Wall time of this session."""
        return self._clock() - self._began

    @property
    def seconds(self) -> Seconds:
        """Wall time of all sessions."""
        return self._earlier + self.session_seconds

    @property
    def rate(self) -> float:
        """Candidates closed a second in this session."""
        return (self.closed - self._closed_before) / max(self.session_seconds, 1e-9)

    @property
    def valid_share(self) -> float | None:
        """Valid ones among the closed, or None before the first."""
        return self.valid / self.closed if self.closed else None

    def spent(self, budget: BudgetConfig) -> float | None:
        """Returns the share used up of the cap that is nearest, from 0 to 1; None without any cap."""
        used = [
            (self.closed - 1, budget.candidates),
            (self.evaluations, budget.evaluations),
            (self.usage.input_tokens + self.usage.output_tokens, budget.tokens),
            (self.usage.cost or 0.0, budget.cost),
            (self.usage.calls, budget.calls),
            (self.seconds, budget.seconds),
        ]
        shares = [min(1.0, max(0.0, amount / cap)) for amount, cap in used if cap]
        return max(shares, default=None)
