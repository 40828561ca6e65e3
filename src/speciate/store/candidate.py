"""A candidate as the history tells it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from speciate.records import (
    Choice,
    Descriptor,
    Ordinal,
    Outcome,
    Placement,
    Rejected,
    Score,
    Seconds,
    TextHash,
    Usage,
)

Status = Literal["open", "rejected", "failed", "valid"]
"""How far a candidate is: still open, or closed in one of three ways."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """All that is known of one candidate, but for its long texts.

    Attributes:
        choice: how it was chosen.
        status: how far it is.
        attempts: attempts begun.
        rejections: its rejected attempts, oldest first.
        program: pairs of (file name, content hash) of its program, or None as long as it has none.
        summary: one line from the proposer.
        traits: inherited numbers.
        usage: tokens and money of the model calls to make it, judges included.
        aside: tokens and money of calls for the run as a whole (the scratchpad's) that its placement made
            due.
        queries: tokens and money of the calls that it made itself while it was evaluated.
        model: who answered first in its last attempt, as the provider names it; None without an answer.
        model_seconds: wall time of its model calls.
        evaluation_seconds: wall time of its evaluations, re-scoring included.
        outcomes: pairs of (epoch, outcome) in the order of arrival. Without feedback, cases, artifacts and
            extra values, which `RunHistory.outcome` reads when they are wanted.
        cached: the candidate whose outcome was taken over because the programs are equal, or None.
        placements: pairs of (island, placement) in the epoch it was chosen in.
        best: whether it became the best of its epoch when it was placed.
        evicted: whether it was an occupant and is none any more.
        closed: `seq` of the event that closed it, or None while it is open.
    """

    choice: Choice
    status: Status = "open"
    attempts: int = 1
    rejections: tuple[Rejected, ...] = ()
    program: tuple[tuple[str, TextHash], ...] | None = None
    summary: str = ""
    traits: Mapping[str, float] = field(default_factory=dict)
    usage: Usage = field(default_factory=Usage)
    aside: Usage = field(default_factory=Usage)
    queries: Usage = field(default_factory=Usage)
    model: str | None = None
    model_seconds: Seconds = 0.0
    evaluation_seconds: Seconds = 0.0
    outcomes: tuple[tuple[int, Outcome], ...] = ()
    cached: Ordinal | None = None
    placements: tuple[tuple[int, Placement], ...] = ()
    best: bool = False
    evicted: bool = False
    closed: int | None = None

    @property
    def ordinal(self) -> Ordinal:
        """Its number."""
        return self.choice.ordinal

    @property
    def seconds(self) -> Seconds:
        """Wall time of its model calls and evaluations."""
        return self.model_seconds + self.evaluation_seconds

    @property
    def outcome(self) -> Outcome | None:
        """How it did in the epoch it was chosen in, or None as long as it has not been evaluated there."""
        return self.outcome_in(self.choice.epoch)

    @property
    def score(self) -> Score | None:
        """Its first objective in its own epoch, higher is better, or None without a valid outcome."""
        return self.score_in(self.choice.epoch)

    @property
    def descriptor(self) -> Descriptor | None:
        """Where it lies in behaviour space in its own epoch, or None."""
        outcome = self.outcome
        return outcome.result.descriptor if outcome and outcome.result else None

    def outcome_in(self, epoch: int) -> Outcome | None:
        """Returns how it did in an epoch, or None if it was not evaluated in it."""
        return next((outcome for number, outcome in self.outcomes if number == epoch), None)

    def epoch_between(self, first: int, last: int) -> int | None:
        """Returns the last epoch of a span in which it was evaluated, or None if it was not."""
        return max((number for number, _ in self.outcomes if first <= number <= last), default=None)

    def score_in(self, epoch: int) -> Score | None:
        """Returns its first objective in an epoch, higher is better, or None without a valid outcome."""
        outcome = self.outcome_in(epoch)
        return outcome.result.objectives[0] if outcome and outcome.result else None
