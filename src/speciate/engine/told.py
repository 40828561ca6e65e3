"""What the history tells of candidates to models that look back."""

from __future__ import annotations

from collections.abc import Sequence

from speciate.engine.run import Run
from speciate.records import (
    Chosen,
    Entry,
    Evaluated,
    Ordinal,
    Outcome,
    Patched,
    Placed,
    Program,
    RejectedEvent,
)
from speciate.reflection import Story


def entry_of(run: Run, ordinal: Ordinal) -> Entry:
    """Returns a valid candidate with its last outcome."""
    told = _Told(run, ordinal)
    assert told.program is not None  # it has a score
    outcome = told.outcomes[max(told.outcomes)]
    return Entry(ordinal, told.program, outcome)


def stories(run: Run, ordinals: Sequence[Ordinal]) -> list[Story]:
    """Returns how candidates ended, in the given order."""
    return [_story(run, ordinal) for ordinal in ordinals]


def _story(run: Run, ordinal: Ordinal) -> Story:
    told = _Told(run, ordinal)
    chosen = told.chosen
    assert chosen is not None
    parent = chosen.parents[0] if chosen.parents else None
    origin = None if parent is None else _Told(run, parent)
    return Story(
        ordinal=ordinal,
        operator=chosen.operator,
        parent=parent,
        parent_score=None if origin is None else origin.score(chosen.epoch),
        summary=told.summary,
        program=told.program,
        origin=None if origin is None else origin.program,
        outcome=told.outcomes.get(chosen.epoch),
        rejection=told.rejection,
        gain=told.gain,
    )


class _Told:
    """What the history tells of one candidate."""

    def __init__(self, run: Run, ordinal: Ordinal) -> None:
        self.chosen: Chosen | None = None
        self.program: Program | None = None
        self.summary = ""
        self.rejection = ""
        self.gain: float | None = None
        self.outcomes: dict[int, Outcome] = {}
        for stored in run.store.events(ordinal=ordinal):
            match stored.event:
                case Chosen() as event:
                    self.chosen = event
                case Patched() as event:
                    self.program, self.summary = run.journal.program(event), event.summary
                case RejectedEvent() as event:
                    self.rejection = f"{event.reason}: {event.message}"
                case Evaluated() as event:
                    self.outcomes[event.epoch] = event.outcome
                case Placed(part="") as event:
                    self.gain = event.gain
                case _:
                    pass

    def score(self, epoch: int) -> float | None:
        """The first objective in an epoch, or None."""
        outcome = self.outcomes.get(epoch)
        return outcome.fitness[0] if outcome and outcome.fitness else None
