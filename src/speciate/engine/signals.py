"""Ctrl-C: once ends what lives in order, twice at once."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from typing import TypeVar

from speciate.engine import pipeline
from speciate.engine.run import Run

T = TypeVar("T")


@asynccontextmanager
async def interruptible(runs: Sequence[Run], then: Callable[[], None] = lambda: None) -> AsyncIterator[None]:
    """Makes Ctrl-C (and SIGTERM) stop runs in order, and a second one at once.

    Args:
        runs: they live in the task that waits in this context.
        then: is called as soon as they were asked to stop.
    """
    loop, task = asyncio.get_running_loop(), asyncio.current_task()

    def interrupt() -> None:
        if task is not None and all(run.stopping == pipeline.INTERRUPTED for run in runs):
            task.cancel()
        for run in runs:
            run.stopping = pipeline.INTERRUPTED
            run.journal.tell_stop(pipeline.INTERRUPTED)
        then()

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, interrupt)
    try:
        yield
    finally:
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(number)


def until_ended(session: Coroutine[object, object, T]) -> T:
    """Runs a session in an event loop of its own.

    Raises:
        KeyboardInterrupt: Ctrl-C came twice: nothing else cancels a session.
    """
    try:
        return asyncio.run(session)
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None
