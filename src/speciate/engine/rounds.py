"""What the engine asks of whoever plays its rounds; see the room `ensembles`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol, TypeAlias

from speciate.engine.epochs import Homes
from speciate.engine.run import Run
from speciate.records import Context, RoundEnded

Course: TypeAlias = Callable[[Run], Awaitable[str]]
"""Lives candidates until the run or its round needs no more; returns why."""


class Rounds(Protocol):
    """Plays the rounds of a run. Decisions change nothing, so that a doctor can make them again."""

    async def play(self, run: Run, course: Course) -> str:
        """Drives a run from wherever its history ends to the end of its last round; returns why it stopped.

        Raises:
            SpeciateError: the set-up broke; what is recorded stays.
        """
        ...

    def decide_end(self, run: Run) -> RoundEnded | None:
        """Says how the present round ends now, or None while it goes on."""
        ...

    def decide_company(self, run: Run) -> Context:
        """Says in which company the candidates of the present round are scored."""
        ...

    def decide_homes(self, run: Run) -> Homes | None:
        """Says who is scored again when the present round opens an epoch; None keeps the archives."""
        ...
