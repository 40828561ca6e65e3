"""Programs by ordinal, whether or not they have an outcome yet."""

from __future__ import annotations

from collections.abc import Callable

from speciate.engine.journal import Journal
from speciate.engine.library import Library
from speciate.engine.state import State
from speciate.records import Ordinal, Patched, Program


def programs(state: State, journal: Journal, library: Library) -> Callable[[Ordinal], Program]:
    """Returns what gives the program of a candidate, open or closed.

    What it returns raises StoreCorruptError for a candidate without one.
    """

    def program(ordinal: Ordinal) -> Program:
        life = state.open.get(ordinal)
        if life is not None:  # it may be noted and not written yet
            for event in life.events.values():
                if isinstance(event, Patched):
                    return journal.program(event)
        return library.program(ordinal)

    return program
