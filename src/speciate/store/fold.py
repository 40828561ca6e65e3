"""What a history amounts to: applies events one by one and never decides anything."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace

from speciate.errors import StoreCorruptError
from speciate.records import (
    Asked,
    Chosen,
    EpochOpened,
    Evaluated,
    FailureKind,
    Migrated,
    Ordinal,
    Outcome,
    Patched,
    Placed,
    Rejected,
    RejectedEvent,
    Replied,
    Score,
    Step,
)
from speciate.store.base import Stored
from speciate.store.candidate import Candidate, Status
from speciate.store.occupants import Occupants
from speciate.store.tallies import Counts, CurvePoint, ProposerCounts, Unanswered


class Fold:
    """The state after the events applied so far. The cost of `apply` does not grow with their number.

    Attributes:
        candidates: by ordinal, in the order in which they were chosen.
        epoch: the epoch opened last.
        best: by epoch, the best score placed so far and the ordinal that reached it first.
        occupants: by epoch, who lives in the archives.
        curve: one point for each closed candidate, in the order of closing.
        proposers: totals by proposer.
        unanswered: requests without a reply by (ordinal, attempt, purpose).
    """

    def __init__(self) -> None:
        self.candidates: dict[Ordinal, Candidate] = {}
        self.epoch = 0
        self.best: dict[int, tuple[Score, Ordinal]] = {}
        self.occupants: defaultdict[int, Occupants] = defaultdict(Occupants)
        self.curve: list[CurvePoint] = []
        self.proposers: dict[str, ProposerCounts] = {}
        self.unanswered: dict[tuple[Ordinal, int, str], Unanswered] = {}
        self._counts = Counts()
        self._rejected: Counter[Step] = Counter()
        self._rejections: defaultdict[Step, Counter[str]] = defaultdict(Counter)
        self._failed: Counter[FailureKind] = Counter()

    def counts(self) -> Counts:
        """Returns the totals so far."""
        rejections = {step: dict(reasons) for step, reasons in self._rejections.items()}
        return replace(
            self._counts, rejected=dict(self._rejected), rejections=rejections, failed=dict(self._failed)
        )

    def apply(self, stored: Stored) -> None:
        """Takes one event into account.

        Raises:
            StoreCorruptError: the event belongs to a candidate that was never chosen.
        """
        event = stored.event
        match event:
            case Chosen():
                self._chosen(event)
                return
            case EpochOpened():
                self.epoch = event.epoch
                return
            case Migrated():
                self._migrated(event)
                return
        candidate = self.candidates.get(event.ordinal)
        if candidate is None:
            raise StoreCorruptError(
                f"event {stored.seq} ({event.step}) is of candidate {event.ordinal}, which was never chosen"
            )
        if event.attempt >= candidate.attempts:
            candidate = replace(candidate, attempts=event.attempt + 1, model=None)
        self.candidates[event.ordinal] = candidate
        match event:
            case Asked():
                self._asked(event)
            case Replied():
                self._replied(event, candidate)
            case Patched():
                self.candidates[event.ordinal] = replace(
                    candidate, program=event.program, summary=event.summary, traits=event.traits
                )
            case RejectedEvent():
                self._rejected_attempt(event, candidate, stored.seq)
            case Evaluated():
                self._evaluated(event, candidate)
            case Placed():
                self._placed(event, candidate, stored.seq)

    def _chosen(self, event: Chosen) -> None:
        self.candidates[event.ordinal] = Candidate(event.choice)
        if event.ordinal != 0:
            self._counts = replace(self._counts, proposed=self._counts.proposed + 1)
            tally = self._tally(event.proposer)
            self.proposers[event.proposer] = replace(tally, assigned=tally.assigned + 1)

    def _asked(self, event: Asked) -> None:
        request = event.ordinal, event.attempt, event.part
        self.unanswered[request] = Unanswered(*request, event.model, event.reserved)

    def _replied(self, event: Replied, candidate: Candidate) -> None:
        self.unanswered.pop((event.ordinal, event.attempt, event.part), None)
        self.candidates[event.ordinal] = replace(
            candidate,
            usage=candidate.usage + event.usage,
            model=candidate.model or event.model,
            model_seconds=candidate.model_seconds + event.seconds,
        )
        self._counts = replace(
            self._counts,
            usage=self._counts.usage + event.usage,
            model_seconds=self._counts.model_seconds + event.seconds,
        )
        name = candidate.choice.proposer
        tally = self._tally(name)
        self.proposers[name] = replace(
            tally, usage=tally.usage + event.usage, seconds=tally.seconds + event.seconds
        )

    def _rejected_attempt(self, event: RejectedEvent, candidate: Candidate, seq: int) -> None:
        rejection = Rejected(event.at, event.reason, event.message, event.attempt, event.final)
        candidate = replace(candidate, rejections=(*candidate.rejections, rejection))
        self.candidates[event.ordinal] = candidate
        self._rejections[event.at][event.reason] += 1
        if event.final:
            self._rejected[event.at] += 1
            self._close(candidate, "rejected", seq)

    def _evaluated(self, event: Evaluated, candidate: Candidate) -> None:
        outcome = _without_texts(event.outcome)
        self.candidates[event.ordinal] = replace(
            candidate,
            outcomes=(*candidate.outcomes, (event.epoch, outcome)),
            cached=candidate.cached if event.cached is None else event.cached,
            evaluation_seconds=candidate.evaluation_seconds + outcome.seconds,
        )
        counts = self._counts
        self._counts = replace(counts, evaluation_seconds=counts.evaluation_seconds + outcome.seconds)
        if event.epoch == candidate.choice.epoch:
            self._count_outcome(event, candidate.choice.proposer)
        else:
            self._counts = replace(self._counts, rescored=counts.rescored + outcome.evaluations)

    def _count_outcome(self, event: Evaluated, proposer: str) -> None:
        counts, outcome = self._counts, event.outcome
        self._counts = replace(
            counts,
            evaluated=counts.evaluated + 1,
            evaluations=counts.evaluations + outcome.evaluations,
            cached=counts.cached + (event.cached is not None),
            valid=counts.valid + outcome.valid,
        )
        if outcome.failure is not None:
            self._failed[outcome.failure.kind] += 1
        elif event.ordinal != 0:
            tally = self._tally(proposer)
            self.proposers[proposer] = replace(tally, valid=tally.valid + 1)

    def _placed(self, event: Placed, candidate: Candidate, seq: int) -> None:
        score = candidate.score_in(event.epoch)
        if score is not None:
            self._note_best(event.epoch, score, event.ordinal)
        if candidate.status == "open":
            candidate = replace(candidate, placements=event.placements, best=event.best)
            outcome = candidate.outcome_in(event.epoch)
            self._close(
                candidate, "rejected" if outcome is None else "valid" if outcome.valid else "failed", seq
            )
        for island, placement in event.placements:
            self._mark_evicted(self.occupants[event.epoch].place(event.ordinal, island, placement))
            if placement.kept:
                self._mark_kept(event.ordinal)

    def _note_best(self, epoch: int, score: Score, ordinal: Ordinal) -> None:
        known = self.best.get(epoch)
        if known is None or (score, -ordinal) > (known[0], -known[1]):
            self.best[epoch] = score, ordinal

    def _close(self, candidate: Candidate, status: Status, seq: int) -> None:
        self.candidates[candidate.ordinal] = replace(candidate, status=status, closed=seq)
        self._counts = replace(self._counts, closed=self._counts.closed + 1)
        epoch = candidate.choice.epoch
        best = self.best.get(epoch)
        self.curve.append(
            CurvePoint(candidate.ordinal, epoch, candidate.score, None if best is None else best[0])
        )
        if candidate.ordinal != 0:
            tally = self._tally(candidate.choice.proposer)
            self.proposers[candidate.choice.proposer] = replace(
                tally, finished=tally.finished + 1, improved=tally.improved + candidate.best
            )

    def _migrated(self, event: Migrated) -> None:
        for move in event.moves:
            self._mark_evicted(self.occupants[self.epoch].move(move))

    def _mark_evicted(self, ordinals: Sequence[Ordinal]) -> None:
        for ordinal in ordinals:
            if ordinal in self.candidates:
                self.candidates[ordinal] = replace(self.candidates[ordinal], evicted=True)

    def _mark_kept(self, ordinal: Ordinal) -> None:
        if self.candidates[ordinal].evicted:
            self.candidates[ordinal] = replace(self.candidates[ordinal], evicted=False)

    def _tally(self, proposer: str) -> ProposerCounts:
        return self.proposers.get(proposer, ProposerCounts())


def _without_texts(outcome: Outcome) -> Outcome:
    """Returns what is needed of an outcome for all candidates at once; the rest may be megabytes each."""
    if outcome.failure is not None:
        return replace(outcome, failure=replace(outcome.failure, feedback=""))
    assert outcome.result is not None  # an outcome has either
    return replace(outcome, result=replace(outcome.result, feedback="", cases=(), artifacts={}, extra={}))
