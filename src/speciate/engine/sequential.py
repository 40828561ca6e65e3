"""One candidate after the other: each sees exactly the history before it."""

from __future__ import annotations

import asyncio

from speciate.engine.candidate import choose, develop, settle
from speciate.engine.chores import owes_notes
from speciate.engine.run import Run
from speciate.errors import BudgetExceededError


async def drive(run: Run) -> str:
    """Lives candidates until the run stops; returns why it stopped."""
    unfinished = [life.chosen.choice for life in run.state.open.values()]  # by a crash or a cap
    while unfinished or (reason := run.stop_reason()) is None:
        if owes_notes(run):  # a cap forbids them
            return run.stopping or "calls"
        choice = unfinished.pop(0) if unfinished else choose(run)
        try:
            await develop(run, choice)
        except BudgetExceededError as error:  # stays open: a resumed run with more budget goes on with it
            return error.cap
        await settle(run, choice.ordinal)
        await asyncio.sleep(0)  # a run that waits for nobody hears Ctrl-C and keeps its heartbeat here alone
    return reason
