"""Many candidates at once; one writer chooses, places and learns.

Order ``ordinal``: candidate n is chosen when exactly the candidates up to n − window are placed, and
results are placed in ordinal order. What is chosen therefore does not depend on how long anything took.
Order ``arrival``: a candidate is chosen as soon as a place is free, and placed as soon as it ends.
"""

from __future__ import annotations

import asyncio

from speciate.engine.candidate import choose, develop, settle
from speciate.engine.chores import owes_notes
from speciate.engine.run import Run
from speciate.errors import BudgetExceededError
from speciate.records import Choice, Ordinal


class Pipeline:
    """Drives one run."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._ordered = run.config.pipeline.order == "ordinal"
        self._in_flight = run.in_flight
        self._window = run.window
        self._developing = 0
        self._ended: asyncio.Queue[Ordinal] = asyncio.Queue()

    async def drive(self) -> str:
        """Lives candidates until the run stops; returns why it stopped."""
        run = self._run
        async with asyncio.TaskGroup() as tasks:
            await self._take_up(tasks)
            while (reason := run.stop_reason()) is None:
                if self._ordered and run.state.closed < run.state.issued - self._window + 1:
                    await self._next_in_turn()
                elif self._developing >= self._in_flight or run.budget.full(run.state):
                    await self._collect()
                else:
                    self._begin(tasks, choose(run))
            await self._finish(reason)
        return reason

    async def _take_up(self, tasks: asyncio.TaskGroup) -> None:
        """Goes on with what a crash or a stop left unfinished."""
        for ordinal in sorted(self._run.state.open):
            while self._developing >= self._in_flight:
                await self._collect()
            life = self._run.state.open[ordinal]
            if not life.ended:
                self._begin(tasks, life.chosen.choice)
            elif not self._ordered and not owes_notes(self._run):
                await settle(self._run, ordinal)

    def _begin(self, tasks: asyncio.TaskGroup, choice: Choice) -> None:
        self._developing += 1
        tasks.create_task(self._develop(choice), name=f"candidate {choice.ordinal}")

    async def _develop(self, choice: Choice) -> None:
        try:
            await develop(self._run, choice)
        except BudgetExceededError as error:  # stays open: a resumed run with more budget goes on with it
            self._run.stopping = self._run.stopping or error.cap
        self._ended.put_nowait(choice.ordinal)

    async def _collect(self) -> None:
        """Waits for the next candidate that ends; in the order of arrival it is placed at once."""
        ordinal = await self._ended.get()
        self._developing -= 1
        if not self._ordered and self._run.state.open[ordinal].ended and not owes_notes(self._run):
            await settle(self._run, ordinal)

    async def _next_in_turn(self) -> None:
        """Places the next ordinal, waiting for it if need be."""
        turn = self._run.state.closed
        while not self._run.state.open[turn].ended:
            if self._developing == 0:
                return  # it stopped for want of budget; the caller sees why
            await self._collect()
        await settle(self._run, turn)

    async def _finish(self, reason: str) -> None:
        """Lets every candidate end that has begun, and places them unless an interrupted run will go on."""
        while self._developing:
            await self._collect()
        if not self._ordered or reason == INTERRUPTED:
            return
        while (life := self._run.state.open.get(self._run.state.closed)) and life.ended:
            if owes_notes(self._run):  # a cap forbids them: a resumed run with more budget goes on here
                return
            await settle(self._run, self._run.state.closed)


INTERRUPTED = "interrupted"
"""Stop reason after Ctrl-C. Nothing is placed out of turn: a resumed run equals one that never stopped."""
