"""The scratchpad: a fold over the history that knows what it advises and what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from speciate.records import WITHOUT_ADVICE, Choice, Noted, Ordinal, Placed
from speciate.reflection import Agenda, Lift, Trials, Tried, improves, lift
from speciate.scratchpad.config import ScratchpadConfig

Standing = Literal["young", "unproven", "dropped", "retired"]
"""A recommendation is young until its trial is over; then it is dropped if it seems not to help, and else
stays unproven: a few dozen candidates can show that advice is useless, hardly ever that it is good."""


@dataclass(slots=True)
class Recommendation(Tried):
    """One piece of advice and what came of it; its control are candidates drawn to go without advice.

    Attributes:
        standing: how it stands.
    """

    standing: Standing = "young"


class Pad(Agenda):
    """What the scratchpad says at present, and what is known of its worth.

    Attributes:
        insights: lines of insights.
        standing: recommendations that are given, by number.
        gone: recommendations that are not given any more, oldest first.
        contradictions: new recommendations that the keeper itself said contradict a standing one.
        surplus: recommendations for which there was no room.
        advised: candidates that ended and had advice.
        control: candidates that ended and were drawn to go without.
    """

    def __init__(self, config: ScratchpadConfig) -> None:
        """Begins empty."""
        super().__init__(config.interval)
        self._config = config
        self.insights: tuple[str, ...] = ()
        self.standing: dict[int, Recommendation] = {}
        self.gone: list[Recommendation] = []
        self.contradictions = 0
        self.surplus = 0
        self.advised = Trials()
        self.control = Trials()
        self._issued: Ordinal = 0
        self._open: dict[Ordinal, int | None] = {}
        self._last = 0

    @property
    def characters(self) -> int:
        """Length of all that it says: insights and standing recommendations."""
        return sum(map(len, self.insights)) + sum(len(one.text) for one in self.standing.values())

    @property
    def lift(self) -> Lift | None:
        """What the scratchpad as a whole makes better, or None as long as nothing can be compared."""
        return lift(self.advised, self.control)

    def text(self, advice: int | None) -> str:
        """Returns what a prompt says: the insights and one recommendation; nothing for one without advice."""
        chosen = self.standing.get(advice or WITHOUT_ADVICE)
        if chosen is None:
            return ""
        lines = ["What this search has shown so far:", *(f"- {line}" for line in self.insights), ""]
        asked = ["Try this, unless the program above makes it pointless:", chosen.text]
        return "\n".join([*(lines if self.insights else []), *asked])

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
        self.count(event.ordinal, best)

    def _credit(self, ordinal: Ordinal, advice: int | None, gain: float | None) -> None:
        if advice is None:
            return
        improved = improves(gain)
        if advice == WITHOUT_ADVICE:
            self.control = self.control.add(improved)
            for one in self.standing.values():
                if ordinal >= one.born:
                    one.control = one.control.add(improved)
            return
        self.advised = self.advised.add(improved)
        given = self.standing.get(advice)
        if given is not None:  # else it left while this candidate was being made
            given.credit(ordinal, gain)
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
        if _ends(event):
            self.end(event.update, failed=event.error is not None)
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
