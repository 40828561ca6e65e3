"""The folded, read-only view of a run: what reports, the dashboard and `show` look at."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType

from speciate.records import (
    Asked,
    Cell,
    Drained,
    Evaluated,
    Event,
    Message,
    Ordinal,
    Outcome,
    Program,
    Published,
    Received,
    Replied,
    Reply,
    RoundEnded,
    Score,
    StoredMessage,
)
from speciate.store.base import StoreReader
from speciate.store.candidate import Candidate
from speciate.store.fold import Fold
from speciate.store.screens import ScreenCounts
from speciate.store.tallies import Counts, CurvePoint, ProposerCounts, Unanswered


class RunHistory:
    """A run as far as it has been read; `refresh` reads on, also while another process writes.

    Args:
        reader: the run's store.
        listener: is told each event as it is read, or None. For those who need more than the fold keeps, so
            that a history is read once.

    Raises:
        StoreCorruptError: what is stored contradicts itself (on construction and `refresh`).
        StoreError: the store cannot be read.
    """

    def __init__(self, reader: StoreReader, *, listener: Callable[[Event], None] | None = None) -> None:
        self.reader = reader
        self._listener = listener
        self._fold = Fold()
        self._seq = 0
        self.refresh()

    def refresh(self) -> int:
        """Reads the events that are new; returns how many. The cost depends on their number alone."""
        before = self._seq
        for stored in self.reader.events(after=self._seq):
            self._fold.apply(stored)
            self._seq = stored.seq
            if self._listener is not None:
                self._listener(stored.event)
        return self._seq - before

    def events(self) -> Iterator[Event]:
        """Yields the events read so far, in order of arrival; none that another process wrote since."""
        for stored in self.reader.events():
            if stored.seq > self._seq:
                return
            yield stored.event

    @property
    def candidates(self) -> Mapping[Ordinal, Candidate]:
        """All candidates by ordinal, in the order in which they were chosen. A live view."""
        return MappingProxyType(self._fold.candidates)

    @property
    def epoch(self) -> int:
        """The epoch opened last."""
        return self._fold.epoch

    @property
    def rounds(self) -> Sequence[RoundEnded]:
        """How each round ended that has, in their order; empty for a run without rounds."""
        return list(self._fold.rounds)

    @property
    def exchange(self) -> Sequence[Published | Received | Drained]:
        """What a node published, received and drained, in order; empty for a run that is no node."""
        return list(self._fold.exchange)

    @property
    def unanswered(self) -> Sequence[Unanswered]:
        """Requests without a reply, oldest first: in flight, or lost with what they may have cost."""
        return list(self._fold.unanswered.values())

    def best(self, epoch: int | None = None, *, before: Ordinal | None = None) -> Candidate | None:
        """Returns the placed candidate with the highest first objective; the smaller ordinal on a tie.

        Args:
            epoch: whose scores count, older ones of archives that were kept included (see `scored_in`); None
                for the epoch opened last.
            before: only candidates with a smaller ordinal; None for all.

        Returns:
            The candidate, or None if nothing valid has been placed.
        """
        epoch = self.epoch if epoch is None else epoch
        if before is None:
            span = range(self._fold.since.get(epoch, epoch), epoch + 1)
            bests = [known for number in span if (known := self._fold.best.get(number))]
            return self.candidates[max(bests, key=lambda b: (b[0], -b[1]))[1]] if bests else None
        placed = [c for c in self.candidates.values() if c.ordinal < before and c.status == "valid"]
        scored = [(self.score(c.ordinal, epoch), c) for c in placed]
        valid = [(score, -c.ordinal, c) for score, c in scored if score is not None]
        return max(valid, key=lambda entry: entry[:2])[2] if valid else None

    def scored_in(self, ordinal: Ordinal, epoch: int | None = None) -> int | None:
        """Returns the epoch of the score by which a candidate stands.

        That is the epoch asked for, or an earlier one where archives were kept (see `EpochOpened.kept`).
        Scores of two epochs are of different company: whoever shows one says so.

        Args:
            ordinal: the candidate.
            epoch: as of which epoch; None for the epoch opened last.

        Returns:
            The epoch, or None if the candidate has not been evaluated in any that still counts.
        """
        epoch = self.epoch if epoch is None else epoch
        return self.candidates[ordinal].epoch_between(self._fold.since.get(epoch, epoch), epoch)

    def score(self, ordinal: Ordinal, epoch: int | None = None) -> Score | None:
        """Returns the first objective by which a candidate stands, or None; see `scored_in`."""
        scored = self.scored_in(ordinal, epoch)
        return None if scored is None else self.candidates[ordinal].score_in(scored)

    def curve(self) -> Sequence[CurvePoint]:
        """Returns one point for each closed candidate, in the order of closing."""
        return list(self._fold.curve)

    def counts(self) -> Counts:
        """Returns the totals."""
        return self._fold.counts()

    def proposers(self) -> Mapping[str, ProposerCounts]:
        """Returns the totals of all proposers with candidates, in the order of their first one."""
        return {name: counts for name, counts in self._fold.proposers.items() if counts.assigned}

    @property
    def aside(self) -> ProposerCounts:
        """Model calls made for the run as a whole (the scratchpad's), which no proposer is charged for."""
        return self._fold.aside

    @property
    def screens(self) -> ScreenCounts:
        """What the screens of novelty did."""
        return self._fold.screens.counts()

    def members(self, epoch: int | None = None) -> Mapping[int, Mapping[Ordinal, Cell | None]]:
        """Returns the occupants of each island with their cells (None in archives without cells).

        Args:
            epoch: which archives; None for those of the epoch opened last.
        """
        occupants = self._fold.occupants.get(self.epoch if epoch is None else epoch)
        return {} if occupants is None else {i: dict(m) for i, m in sorted(occupants.islands.items())}

    def lineage(self, ordinal: Ordinal) -> Sequence[Candidate]:
        """Returns the line of first parents from the initial program down to the candidate itself."""
        line = [self.candidates[ordinal]]
        while line[-1].choice.parents:
            line.append(self.candidates[line[-1].choice.parents[0]])
        return line[::-1]

    def program(self, ordinal: Ordinal) -> Program:
        """Returns a candidate's program; raises KeyError if it has none."""
        manifest = self.candidates[ordinal].program
        if manifest is None:
            raise KeyError(f"candidate {ordinal} has no program")
        return Program(tuple((name, self.reader.text(digest)) for name, digest in manifest))

    def outcome(self, ordinal: Ordinal, epoch: int | None = None) -> Outcome:
        """Returns a whole outcome, with feedback, cases, artifacts and extra values.

        Args:
            ordinal: the candidate.
            epoch: which evaluation; None for the epoch it was chosen in.

        Raises:
            KeyError: it was not evaluated there.
        """
        epoch = self.candidates[ordinal].choice.epoch if epoch is None else epoch
        for event in self._events(ordinal):
            if isinstance(event, Evaluated) and event.epoch == epoch:
                return event.outcome
        raise KeyError(f"candidate {ordinal} was not evaluated in epoch {epoch}")

    def prompt(self, ordinal: Ordinal, attempt: int, purpose: str) -> list[Message]:
        """Returns what a model was sent; raises KeyError if there was no such request."""
        for event in self._events(ordinal):
            if isinstance(event, Asked) and (event.attempt, event.part) == (attempt, purpose):
                return [self._message(message) for message in event.messages]
        raise KeyError(f"candidate {ordinal} asked nothing for {purpose!r} in attempt {attempt}")

    def reply(self, ordinal: Ordinal, attempt: int, purpose: str) -> Reply:
        """Returns what a model answered; raises KeyError if there is no such reply."""
        for event in self._events(ordinal):
            if isinstance(event, Replied) and (event.attempt, event.part) == (attempt, purpose):
                return event.reply(self.reader.text(event.text.text))
        raise KeyError(f"candidate {ordinal} has no reply for {purpose!r} in attempt {attempt}")

    def _events(self, ordinal: Ordinal) -> Sequence[Event]:
        return [stored.event for stored in self.reader.events(ordinal=ordinal) if stored.seq <= self._seq]

    def _message(self, message: StoredMessage) -> Message:
        texts = (p if isinstance(p, str) else self.reader.text(p.text) for p in message.parts)
        return Message(message.role, tuple(texts))
