"""When a model is to look back on a run, and what became of what it said: folds over the history."""

from __future__ import annotations

from dataclasses import dataclass, field

from speciate.records import Ordinal
from speciate.reflection.lift import Lift, Trials, lift


@dataclass(frozen=True, slots=True)
class Job:
    """An update that is due.

    Attributes:
        number: of the update, from 1.
        ordinal: the candidate whose placement made it due; key of its events and model calls.
        batch: the candidates placed since the update before, in the order in which they were placed.
        since: how many candidates had been placed by then.
        best: the best candidate by then, or None.
    """

    number: int
    ordinal: Ordinal
    batch: tuple[Ordinal, ...]
    since: int
    best: Ordinal | None


@dataclass(slots=True)
class Tried:
    """A text that candidates are made with, and what came of it.

    Attributes:
        number: in the order in which such texts were made.
        text: what it says.
        born: the first candidate that could be made with it.
        children: candidates made with it that have ended, with what each gained; None without a score.
        trials: the same as numbers.
        control: candidates of the same time that were made without it, for comparison.
    """

    number: int
    text: str
    born: Ordinal
    children: list[tuple[Ordinal, float | None]] = field(default_factory=list)
    trials: Trials = field(default_factory=Trials)
    control: Trials = field(default_factory=Trials)

    @property
    def lift(self) -> Lift | None:
        """What it makes better, or None as long as nothing can be compared."""
        return lift(self.trials, self.control)

    def credit(self, ordinal: Ordinal, gain: float | None) -> None:
        """Takes note of how a candidate made with it ended."""
        self.children.append((ordinal, gain))
        self.trials = self.trials.add(improves(gain))


def improves(gain: float | None) -> bool:
    """Says whether a candidate is better than the better of its parent and the initial program."""
    return gain is not None and gain > 0


class Agenda:
    """Says when an update is due: after every so many placed candidates. Who inherits says what it changes.

    Attributes:
        updates: updates that have ended, with or without success.
        failures: updates that came to nothing or stopped half-way.
        kept: whether it is kept at present; while no proposer reads it, it is not.
    """

    def __init__(self, interval: int) -> None:
        """Begins empty; an update is due after every `interval` candidates."""
        self.updates = 0
        self.failures = 0
        self.kept = True
        self._interval = interval
        self._batch: list[Ordinal] = []
        self._placed = 0
        self._begun = 0
        self._jobs: list[Job] = []

    @property
    def job(self) -> Job | None:
        """The update to be made next, or None."""
        return self._jobs[0] if self._jobs else None

    def due(self, lag: int) -> Job | None:
        """Returns the update that must be noted before the next choice: `lag` placements after it began."""
        job = self.job
        return job if job is not None and self._placed >= job.since + lag else None

    @property
    def tail(self) -> tuple[Ordinal, ...]:
        """Candidates placed since the last update began."""
        return tuple(self._batch)

    def keep(self, kept: bool) -> None:
        """Lets it be kept from now on, or no more; what was due when it is not kept is due no more."""
        self.kept = kept
        if not kept:
            self._batch, self._jobs = [], []

    def count(self, ordinal: Ordinal, best: Ordinal | None) -> Job | None:
        """Counts a candidate that was placed; returns the update that became due by it, if any.

        Args:
            ordinal: the candidate.
            best: the best candidate by now, or None.
        """
        if not self.kept:
            return None
        self._placed += 1
        self._batch.append(ordinal)
        if len(self._batch) < self._interval:
            return None
        self._begun += 1
        job = Job(self._begun, ordinal, tuple(self._batch), self._placed, best)
        self._jobs.append(job)
        self._batch = []
        return job

    def end(self, update: int, *, failed: bool) -> None:
        """Takes note of the end of an update."""
        self._jobs = [job for job in self._jobs if job.number != update]
        self.updates += 1
        self.failures += failed
