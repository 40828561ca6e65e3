"""Looking at a run while it goes on, without a hand in it."""

from __future__ import annotations

from speciate.records import Event


class Observer:
    """Is told of every event after it became part of the history. Overrides must be quick."""

    def on_event(self, event: Event) -> None:
        """One event was recorded."""

    def on_stop(self, reason: str) -> None:
        """The run was asked to stop; what has begun is still being finished."""
