"""Candidates that are data (Redcode, parameters, text): scored by the task's function in our own process."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import TypeAlias

from typing_extensions import override

from speciate.errors import ScoreError, TaskError
from speciate.evaluators import results
from speciate.evaluators.base import Evaluator
from speciate.evaluators.bounds import FEEDBACK_BYTES, AnswerError, text
from speciate.evaluators.modules import load_module, raised
from speciate.evaluators.results import Verdict
from speciate.evaluators.syntax import source_problem
from speciate.records import Context, Failure, FailureKind, Outcome, Program, Result
from speciate.tasks import Task

TrustedFunction: TypeAlias = Callable[[Program, Context], object]
"""``evaluate(program, context)``: a `Result`, or a dict or number as `results` describes."""


class TrustedEvaluator(Evaluator):
    """Calls `task.trusted`, or ``evaluate`` of the task's evaluate file, without a sandbox.

    ValueError is how the function says that a candidate is invalid. Whatever else it raises, or an answer
    that is none, is a failure of kind ``score``: one strange candidate must not end a night's run, and the
    initial program shows a function that never works. Nothing can stop a function that does not return.

    Args:
        task: a task of kind ``trusted``.
        threads: whether to call the function in threads, `slots` at a time; it must then be safe to call
            from several threads. Otherwise it is called on the event loop, one candidate at a time, which
            costs least when it takes milliseconds.
        slots: how many candidates run at once with `threads`.
    """

    def __init__(self, task: Task, *, threads: bool = False, slots: int = 1) -> None:
        self.slots = slots if threads else 1
        self._task = task
        self._threads = threads
        self._turns = asyncio.Semaphore(self.slots)
        self._function: TrustedFunction | None = task.trusted

    @override
    async def start(self) -> None:
        self._loaded()

    @override
    async def evaluate(self, program: Program, context: Context) -> Outcome:
        function = self._loaded()
        if not self._threads:
            return self._judge(function, program, context)
        async with self._turns:
            return await asyncio.to_thread(self._judge, function, program, context)

    @override
    async def syntax(self, program: Program) -> str | None:
        return source_problem(program, self._task)

    def _loaded(self) -> TrustedFunction:
        function = self._function or _load(self._task)
        self._function = function
        return function

    def _judge(self, function: TrustedFunction, program: Program, context: Context) -> Outcome:
        began, cpu = time.perf_counter(), time.thread_time()
        found: list[Result] = []
        judged: Verdict | None = None
        for _ in range(self._task.spec.evaluation.repeats):
            judged = self._once(function, program, context)
            if isinstance(judged, Failure):
                break
            found.append(judged)
        return results.outcome(
            judged if isinstance(judged, Failure) else results.mean(found),
            seconds=time.perf_counter() - began,
            cpu_seconds=time.thread_time() - cpu,
            evaluations=len(found) + isinstance(judged, Failure),
        )

    def _once(self, function: TrustedFunction, program: Program, context: Context) -> Verdict:
        try:
            answer = function(program, context)
        except ScoreError:
            raise
        except ValueError as error:
            return Failure(FailureKind.INVALID, text(str(error), FEEDBACK_BYTES, "message"))
        except Exception as error:  # noqa: BLE001 (the edge of the task's code: it is recorded)
            return self._broken(f"raised {raised(error)}; for invalid candidates raise ValueError")
        try:
            return results.verdict(answer, self._task)
        except AnswerError as error:
            return self._broken(str(error))

    def _broken(self, what: str) -> Failure:
        said = f"evaluate of task {self._task.name!r}: {what}"
        return Failure(FailureKind.SCORE, text(said, FEEDBACK_BYTES, "message"))


def _load(task: Task) -> TrustedFunction:
    if task.folder is None:
        raise TaskError(f"task {task.name!r} of kind 'trusted' has neither a function nor a folder")
    path = task.folder / task.spec.evaluation.evaluate
    function = vars(load_module(path)).get("evaluate")
    if not callable(function):
        raise ScoreError(f"{path} defines no function evaluate(program, context)")
    return function  # type: ignore[no-any-return]  # user code: what it returns is checked at each call
