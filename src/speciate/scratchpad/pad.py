"""The scratchpad: a fold over the history that knows what it advises and what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from speciate.records import WITHOUT_ADVICE, Choice, Noted, Ordinal, Placed
from speciate.scratchpad.config import ScratchpadConfig
from speciate.scratchpad.lift import Lift, Trials, lift

Standing = Literal["young", "unproven", "dropped", "retired"]
"""A recommendation is young until its trial is over; then it is dropped if it seems not to help, and else
stays unproven: a few dozen candidates can show that advice is useless, hardly ever that it is good."""


@dataclass(slots=True)
class Recommendation:
    """One piece of advice and what came of it.

    Attributes:
        number: from 1, in the order in which they were made.
        text: what it says.
        born: the first candidate that could be made with it.
        standing: how it stands.
        children: candidates made with it that have ended, with what each gained; None without a score.
        trials: the same as numbers.
        control: candidates of the same time that were drawn to go without advice.
    """

    number: int
    text: str
    born: Ordinal
    standing: Standing = "young"
    children: list[tuple[Ordinal, float | None]] = field(default_factory=list)
    trials: Trials = field(default_factory=Trials)
    control: Trials = field(default_factory=Trials)

    @property
    def lift(self) -> Lift | None:
        """What it makes better, or None as long as nothing can be compared."""
        return lift(self.trials, self.control)


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


class Pad:
    """What the scratchpad says at present, and what is known of its worth.

    Attributes:
        insights: lines of insights.
        standing: recommendations that are given, by number.
        gone: recommendations that are not given any more, oldest first.
        updates: updates that were noted, with or without success.
        failures: updates that came to nothing or stopped half-way.
        contradictions: new recommendations that the keeper itself said contradict a standing one.
        surplus: recommendations for which there was no room.
        advised: candidates that ended and had advice.
        control: candidates that ended and were drawn to go without.
        kept: whether it is kept at present; while no proposer reads advice it is not.
    """

    def __init__(self, config: ScratchpadConfig) -> None:
        """Begins empty."""
        self._config = config
        self.insights: tuple[str, ...] = ()
        self.standing: dict[int, Recommendation] = {}
        self.gone: list[Recommendation] = []
        self.updates = 0
        self.failures = 0
        self.contradictions = 0
        self.surplus = 0
        self.advised = Trials()
        self.control = Trials()
        self.kept = True
        self._issued: Ordinal = 0
        self._open: dict[Ordinal, int | None] = {}
        self._batch: list[Ordinal] = []
        self._placed = 0
        self._begun = 0
        self._last = 0
        self._jobs: list[Job] = []

    @property
    def characters(self) -> int:
        """Length of all that it says: insights and standing recommendations."""
        return sum(map(len, self.insights)) + sum(len(one.text) for one in self.standing.values())

    @property
    def lift(self) -> Lift | None:
        """What the scratchpad as a whole makes better, or None as long as nothing can be compared."""
        return lift(self.advised, self.control)

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

    def text(self, advice: int | None) -> str:
        """Returns what a prompt says: the insights and one recommendation; nothing for one without advice."""
        chosen = self.standing.get(advice or WITHOUT_ADVICE)
        if chosen is None:
            return ""
        lines = ["What this search has shown so far:", *(f"- {line}" for line in self.insights), ""]
        asked = ["Try this, unless the program above makes it pointless:", chosen.text]
        return "\n".join([*(lines if self.insights else []), *asked])

    def keep(self, kept: bool) -> None:
        """Lets it be kept from now on, or no more; what was due when it is not kept is due no more."""
        self.kept = kept
        if not kept:
            self._batch, self._jobs = [], []

    def chosen(self, choice: Choice) -> None:
        """Takes note of a candidate."""
        self._issued = max(self._issued, choice.ordinal + 1)
        if not choice.planted:
            self._open[choice.ordinal] = choice.advice

    def placed(self, event: Placed, best: Ordinal | None) -> None:
        """Takes note of how a candidate ended; those that nobody proposed do not count.

        Args:
            event: its placement.
            best: the best candidate after it, or None.
        """
        if event.part or event.ordinal not in self._open:
            return
        advice = self._open.pop(event.ordinal)
        self._credit(event.ordinal, advice, event.gain)
        if not self.kept:
            return
        self._placed += 1
        self._batch.append(event.ordinal)
        if len(self._batch) == self._config.interval:
            self._begun += 1
            self._jobs.append(Job(self._begun, event.ordinal, tuple(self._batch), self._placed, best))
            self._batch = []

    def _credit(self, ordinal: Ordinal, advice: int | None, gain: float | None) -> None:
        improved = gain is not None and gain > 0
        if advice is None:
            return
        if advice == WITHOUT_ADVICE:
            self.control = self.control.add(improved)
            for one in self.standing.values():
                if ordinal >= one.born:
                    one.control = one.control.add(improved)
            return
        self.advised = self.advised.add(improved)
        given = self.standing.get(advice)
        if given is not None:  # else it left while this candidate was being made
            given.children.append((ordinal, gain))
            given.trials = given.trials.add(improved)
            given.standing = "unproven" if given.trials.ended >= self._config.trial else "young"

    def leaving(self) -> tuple[int, ...]:
        """Says which recommendations would leave now, by number. Changes nothing."""
        return tuple(number for number, one in self.standing.items() if self._verdict(one) is not None)

    def _verdict(self, one: Recommendation) -> Literal["dropped", "retired"] | None:
        if one.trials.ended < self._config.trial:
            return None
        worth = one.lift
        if worth is not None and worth.chance < self._config.least_chance:
            return "dropped"
        return "retired" if one.trials.ended >= self._config.retire else None

    def next_number(self) -> int:
        """Returns the number that the next recommendation gets."""
        return self._last + 1

    def noted(self, event: Noted) -> None:
        """Does what an update says; decides nothing."""
        self._jobs = [job for job in self._jobs if job.number != event.update or not _ends(event)]
        if _ends(event):
            self.updates += 1
            self.failures += event.error is not None
        if event.error is not None:
            return
        if event.kind == "insights":
            self.insights = tuple(text for _, text in event.lines)
        if event.kind == "recommendations":
            self._renew(event)

    def _renew(self, event: Noted) -> None:
        for number in event.dropped:
            one = self.standing.pop(number)
            one.standing = self._verdict(one) or "retired"
            self.gone.append(one)
        for number, text in event.lines:
            self.standing[number] = Recommendation(number, text, self._issued)
            self._last = number
        self.contradictions += len(event.contradictions)
        self.surplus += event.surplus

    def everything(self) -> Sequence[Recommendation]:
        """Returns all recommendations there ever were, by number."""
        return sorted((*self.gone, *self.standing.values()), key=lambda one: one.number)


def _ends(event: Noted) -> bool:
    """Whether nothing more of this update follows."""
    return event.error is not None or event.kind == "recommendations"
