"""A candidate on its way, as the events so far tell it."""

from __future__ import annotations

from dataclasses import dataclass, field

from speciate.records import Chosen, Dollars, Event, Outcome, Replied, Score, Seconds, Usage, queried


@dataclass
class Life:
    """A candidate that is not closed yet, with all that has happened to it.

    Attributes:
        chosen: how it was chosen.
        baseline: what it has to beat to earn credit: the better of its parent and the initial program.
        events: by (attempt, step, part).
        outcome: how it did in the epoch it was chosen in, or None so far.
        rejected: whether its attempts are used up.
        advice: what the scratchpad said to it when it was chosen, or an empty string.
    """

    chosen: Chosen
    baseline: Score | None
    events: dict[tuple[int, str, str], Event] = field(default_factory=dict)
    outcome: Outcome | None = None
    rejected: bool = False
    advice: str = ""

    def has(self, event: Event) -> bool:
        """Whether this event has happened."""
        return (event.attempt, event.step, event.part) in self.events

    @property
    def ended(self) -> bool:
        """Whether nothing is left to do but to place it."""
        return self.rejected or self.outcome is not None

    @property
    def gain(self) -> float | None:
        """How far it lies above what it had to beat, or None where there is nothing to compare."""
        fitness = self.outcome.fitness if self.outcome else None
        return None if fitness is None or self.baseline is None else fitness[0] - self.baseline

    @property
    def seconds(self) -> Seconds:
        """How long the model calls to make it took, one after the other."""
        return sum(event.seconds for event in self._replies)

    @property
    def failure(self) -> str | None:
        """Why it has no score, in a word, or None if it has one or is not at its end."""
        if self.rejected:
            return "rejected"
        return self.outcome.failure.kind.value if self.outcome and self.outcome.failure else None

    @property
    def cost(self) -> Dollars | None:
        """What the model calls to make it cost, or None when a price is unknown."""
        return sum((event.usage for event in self._replies), Usage()).cost

    @property
    def _replies(self) -> list[Replied]:
        """The replies that its proposer is charged for; what it asked itself when evaluated is none."""
        replies = (event for event in self.events.values() if isinstance(event, Replied))
        return [event for event in replies if not queried(event)]
