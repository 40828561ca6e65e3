"""As many score processes as the work needs."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Final

from speciate.evaluators.jobs import Case, FrameValue
from speciate.evaluators.score_process import Answer, ScoreProcess
from speciate.records import CaseResult, Context, Failure
from speciate.tasks import Task

PATIENCE: Final = 2.0
"""Seconds that candidates wait for score code, all together, before one more process is worth its start."""


class ScorePool:
    """Shares score processes among candidates.

    Scoring mostly takes far less time than running the candidate, and each process imports the task's
    libraries again; so it starts with one and adds another whenever candidates have waited `PATIENCE` more
    seconds for their turn. Which process judges is of no consequence: score code keeps no state between
    calls that a verdict may depend on.

    Args:
        task: a split task.
        most: how many processes at most, at least one.
    """

    def __init__(self, task: Task, *, most: int) -> None:
        self._task = task
        self._most = most
        self._workers = [ScoreProcess(task)]
        self._idle = list(self._workers)
        self._turns = asyncio.Semaphore(1)
        self._waited = 0.0

    def __len__(self) -> int:
        return len(self._workers)

    async def start(self) -> None:
        """Starts the first process; raises as `ScoreProcess.start` does."""
        async with self._turn() as worker:
            await worker.start()

    async def cases(self, context: Context) -> tuple[Case, ...]:
        """As `ScoreProcess.cases`."""
        async with self._turn() as worker:
            return await worker.cases(context)

    async def score(self, context: Context, answers: Sequence[Answer]) -> tuple[CaseResult, ...] | Failure:
        """As `ScoreProcess.score`."""
        async with self._turn() as worker:
            return await worker.score(context, answers)

    async def aggregate(self, results: Sequence[CaseResult]) -> FrameValue | Failure:
        """As `ScoreProcess.aggregate`."""
        async with self._turn() as worker:
            return await worker.aggregate(results)

    async def close(self) -> None:
        """Ends all processes. May be called twice."""
        for worker in self._workers:
            await worker.close()

    @asynccontextmanager
    async def _turn(self) -> AsyncIterator[ScoreProcess]:
        began = time.monotonic()
        async with self._turns:
            self._grow(time.monotonic() - began)
            worker = self._idle.pop()  # the one used last: its pages and contexts are warm
            try:
                yield worker
            finally:
                self._idle.append(worker)

    def _grow(self, waited: float) -> None:
        self._waited += waited
        if self._waited > PATIENCE and len(self._workers) < self._most:
            self._waited = 0.0
            worker = ScoreProcess(self._task)  # starts when it is first asked
            self._workers.append(worker)
            self._idle.insert(0, worker)
            self._turns.release()
