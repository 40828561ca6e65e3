"""What a history amounts to: applies events one by one and never decides anything."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace

from speciate.errors import StoreCorruptError
from speciate.records import (
    ArmsChanged,
    Asked,
    Chosen,
    Drained,
    EpochOpened,
    Evaluated,
    FailureKind,
    IslandOpened,
    Joined,
    Migrated,
    Noted,
    Ordinal,
    Outcome,
    Patched,
    Placed,
    Published,
    Received,
    Rejected,
    RejectedEvent,
    Replied,
    Reworded,
    RoundEnded,
    Score,
    Step,
    Usage,
    aside,
    queried,
)
from speciate.store.base import Stored
from speciate.store.candidate import Candidate, Status
from speciate.store.occupants import Occupants
from speciate.store.screens import Screens
from speciate.store.tallies import Counts, CurvePoint, ProposerCounts, Unanswered


class Fold:
    """The state after the events applied so far. The cost of `apply` does not grow with their number.

    Attributes:
        candidates: by ordinal, in the order in which they were chosen.
        epoch: the epoch opened last.
        since: by epoch, the first one whose scores stand in its archives: itself, or an earlier one where
            archives were kept.
        best: by epoch, the best score placed so far and the ordinal that reached it first.
        occupants: by epoch, who lives in the archives.
        curve: one point for each closed candidate, in the order of closing.
        proposers: totals by proposer; that of planted programs has none assigned.
        unanswered: requests without a reply by (ordinal, attempt, purpose).
        rounds: how each round ended, in their order.
        exchange: what was published, received and drained, in order.
        aside: model calls made for the run as a whole, which no proposer is charged for.
        queries: model calls that candidates made while they were evaluated; no proposer is charged for them,
            and their time is part of the evaluations'.
        screens: what the screens of novelty did.
    """

    def __init__(self) -> None:
        self.candidates: dict[Ordinal, Candidate] = {}
        self.epoch = 0
        self.since: dict[int, int] = {0: 0}
        self.best: dict[int, tuple[Score, Ordinal]] = {}
        self.occupants: defaultdict[int, Occupants] = defaultdict(Occupants)
        self.curve: list[CurvePoint] = []
        self.proposers: dict[str, ProposerCounts] = {}
        self.unanswered: dict[tuple[Ordinal, int, str], Unanswered] = {}
        self.rounds: list[RoundEnded] = []
        self.exchange: list[Published | Received | Drained] = []
        self.aside = ProposerCounts()
        self.queries = ProposerCounts()
        self.screens = Screens()
        self._planted = 0
        self._counts = Counts()
        self._rejected: Counter[Step] = Counter()
        self._rejections: defaultdict[Step, Counter[str]] = defaultdict(Counter)
        self._failed: Counter[FailureKind] = Counter()

    def counts(self) -> Counts:
        """Returns the totals so far."""
        tallies = (*self.proposers.values(), self.aside)
        return replace(
            self._counts,
            proposed=len(self.candidates) - self._planted,
            closed=len(self.curve),
            rejected=dict(self._rejected),
            rejections={step: dict(reasons) for step, reasons in self._rejections.items()},
            failed=dict(self._failed),
            usage=sum((tally.usage for tally in (*tallies, self.queries)), Usage()),
            queries=self.queries.usage,
            model_seconds=sum(tally.seconds for tally in tallies),
        )

    def apply(self, stored: Stored) -> None:
        """Takes one event into account.

        Raises:
            StoreCorruptError: the event belongs to a candidate that was never chosen.
        """
        match stored.event:
            case Chosen() as event:
                self._chosen(event)
            case EpochOpened() as event:
                self._epoch_opened(event)
            case Migrated() as event:
                self._migrated(event)
            case RoundEnded() as event:
                self.rounds.append(event)
            case IslandOpened() as event:
                self._island_opened(event)
            case Asked() as event if aside(event):
                self._asked(event)
            case Replied() as event if aside(event):
                self._replied_aside(event)
            case Noted() | Reworded() | ArmsChanged() | Joined():
                pass
            case Published() | Received() | Drained() as event:
                self.exchange.append(event)
            case _:
                self._lived(stored)

    def _epoch_opened(self, event: EpochOpened) -> None:
        before, self.epoch = self.epoch, event.epoch
        self.since[event.epoch] = self.since[before] if event.kept else event.epoch
        if event.kept:
            self.occupants[event.epoch] = self.occupants[before].copied()

    def _lived(self, stored: Stored) -> None:
        ordinal, attempt = stored.event.ordinal, stored.event.attempt
        candidate = self.candidates.get(ordinal)
        if candidate is None:
            raise StoreCorruptError(
                f"event {stored.seq} ({stored.event.step}) is of candidate {ordinal}, which was never chosen"
            )
        if attempt >= candidate.attempts:
            candidate = replace(candidate, attempts=attempt + 1, model=None)
            self.candidates[ordinal] = candidate
        if isinstance(stored.event, Replied) and queried(stored.event):
            self._replied_query(stored.event, candidate)
            return
        self.screens.apply(stored.event, planted=candidate.choice.planted)
        match stored.event:
            case Asked() as event:
                self._asked(event)
            case Replied() as event:
                self._replied(event, candidate)
            case Patched() as event:
                self.candidates[ordinal] = replace(
                    candidate, program=event.program, summary=event.summary, traits=event.traits
                )
            case RejectedEvent() as event:
                self._rejected_attempt(event, candidate, stored.seq)
            case Evaluated() as event:
                self._evaluated(event, candidate)
            case Placed() as event:
                self._placed(event, candidate, stored.seq)

    def _chosen(self, event: Chosen) -> None:
        self.candidates[event.ordinal] = Candidate(event.choice)
        tally, planted = self._tally(event.proposer), event.choice.planted
        self._planted += planted
        self.proposers[event.proposer] = replace(tally, assigned=tally.assigned + (not planted))

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
        name = candidate.choice.proposer
        tally = self._tally(name)
        self.proposers[name] = replace(
            tally, usage=tally.usage + event.usage, seconds=tally.seconds + event.seconds
        )

    def _replied_query(self, event: Replied, candidate: Candidate) -> None:
        self.unanswered.pop((event.ordinal, event.attempt, event.part), None)
        self.candidates[event.ordinal] = replace(candidate, queries=candidate.queries + event.usage)
        self.queries = replace(
            self.queries,
            usage=self.queries.usage + event.usage,
            seconds=self.queries.seconds + event.seconds,
        )

    def _replied_aside(self, event: Replied) -> None:
        self.unanswered.pop((event.ordinal, event.attempt, event.part), None)
        candidate = self.candidates.get(event.ordinal)
        if candidate is not None:
            self.candidates[event.ordinal] = replace(candidate, aside=candidate.aside + event.usage)
        self.aside = replace(
            self.aside, usage=self.aside.usage + event.usage, seconds=self.aside.seconds + event.seconds
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
        rescored = event.epoch != candidate.choice.epoch
        self._count_evaluation(event, rescored=rescored)

    def _count_evaluation(self, event: Evaluated, *, rescored: bool) -> None:
        counts, outcome = self._counts, event.outcome
        seconds = counts.evaluation_seconds + outcome.seconds
        if rescored:
            runs = counts.rescored + outcome.evaluations
            self._counts = replace(counts, rescored=runs, evaluation_seconds=seconds)
            return
        self._counts = replace(
            counts,
            evaluated=counts.evaluated + 1,
            evaluations=counts.evaluations + outcome.evaluations,
            cached=counts.cached + (event.cached is not None),
            valid=counts.valid + outcome.valid,
            evaluation_seconds=seconds,
        )
        if outcome.failure is not None:
            self._failed[outcome.failure.kind] += 1

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
        epoch = candidate.choice.epoch
        best = self.best.get(epoch)
        self.curve.append(
            CurvePoint(candidate.ordinal, epoch, candidate.score, None if best is None else best[0])
        )
        if not candidate.choice.planted:
            tally = self._tally(candidate.choice.proposer)
            self.proposers[candidate.choice.proposer] = replace(
                tally,
                finished=tally.finished + 1,
                valid=tally.valid + (status == "valid"),
                improved=tally.improved + candidate.best,
            )

    def _migrated(self, event: Migrated) -> None:
        for move in event.moves:
            self._mark_evicted(self.occupants[self.epoch].move(move))

    def _island_opened(self, event: IslandOpened) -> None:
        for ordinal, placement in event.copies:
            self._mark_evicted(self.occupants[self.epoch].place(ordinal, event.island, placement))

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
