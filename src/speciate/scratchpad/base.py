"""What every scratchpad owes."""

from __future__ import annotations

from abc import ABC, abstractmethod

from typing_extensions import override

from speciate.records import Choice


class Scratchpad(ABC):
    """Advice drawn from the run so far, added to the prompts of proposers that ask a model.

    Implementers: the state is a fold over the history; the advice for a choice depends on what lies before
    `Choice.seen` alone, so that it is the same when the run is resumed.
    """

    @abstractmethod
    def notes(self, choice: Choice) -> str:
        """Returns the advice for one candidate, or an empty string for none."""


class NoScratchpad(Scratchpad):
    """Gives no advice: every prompt stands on programs and feedback alone."""

    @override
    def notes(self, choice: Choice) -> str:
        return ""
