"""What the evaluators that run candidates in the sandbox share."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace

from typing_extensions import override

from speciate.evaluators import results
from speciate.evaluators.base import Evaluator
from speciate.evaluators.jobs import CommandReport, Report
from speciate.evaluators.results import Verdict
from speciate.evaluators.runner import CandidateRunner
from speciate.evaluators.syntax import compiler_problem, source_problem
from speciate.records import Context, Failure, Outcome, Program, Result
from speciate.tasks import Task


class SandboxedEvaluator(Evaluator):
    """Owns a sandbox pool for its whole life.

    Args:
        task: what is to be evolved.
        pool: where candidates run; started and closed with this evaluator.
        slots: how many candidates the pool runs at once.
    """

    def __init__(self, task: Task, pool: CandidateRunner, *, slots: int) -> None:
        self.slots = slots
        self._task = task
        self._pool = pool

    @override
    async def start(self) -> None:
        await self._pool.start()

    @override
    async def syntax(self, program: Program) -> str | None:
        return source_problem(program, self._task) or await compiler_problem(program, self._task, self._pool)

    @override
    async def close(self) -> None:
        await self._pool.close()


class AveragingEvaluator(SandboxedEvaluator):
    """One whose runs each come to a verdict, of which the mean over `repeats` counts."""

    @abstractmethod
    async def once(self, program: Program, repeat: int, bill: Bill) -> Verdict:
        """Runs a program once, adds what that cost to `bill`, and judges it.

        Args:
            program: the candidate.
            repeat: number of the run, from 0; seeds the candidate's own chance.
            bill: takes the cost.
        """

    @override
    async def evaluate(self, program: Program, context: Context) -> Outcome:
        bill = Bill()
        found: list[Result] = []
        for repeat in range(self._task.spec.evaluation.repeats):
            judged = await self.once(program, repeat, bill)
            if isinstance(judged, Failure):
                return bill.outcome(judged)
            found.append(judged)
        return bill.outcome(results.mean(found))


@dataclass(slots=True)
class Bill:
    """What the runs of one candidate cost so far (units as in `Outcome`). Waiting for a slot is free."""

    seconds: float = 0.0
    cpu_seconds: float = 0.0
    memory_mb: float | None = None
    runs: int = 0

    def add(self, report: Report | CommandReport, *, runs: int = 1) -> None:
        """Adds a run; `runs` is 0 for a further stage of a run already counted."""
        self.seconds += report.seconds
        self.cpu_seconds += report.cpu_seconds
        if report.memory_mb is not None:
            self.memory_mb = max(self.memory_mb or 0.0, report.memory_mb)
        self.runs += runs

    def outcome(self, judged: Verdict) -> Outcome:
        """Returns the outcome of a verdict at this cost."""
        return results.outcome(
            judged,
            seconds=self.seconds,
            cpu_seconds=self.cpu_seconds,
            memory_mb=self.memory_mb,
            evaluations=self.runs,
        )


def explained(failure: Failure, printed: str) -> Failure:
    """Returns a failure that says at least what the candidate printed last."""
    return failure if failure.feedback or not printed else replace(failure, feedback=printed)
