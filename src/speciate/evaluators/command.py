"""Any program of any language that prints its result as JSON, run in the sandbox."""

from __future__ import annotations

import json
from typing import Final

from typing_extensions import override

from speciate.errors import TaskError
from speciate.evaluators import results
from speciate.evaluators.bounds import FEEDBACK_BYTES, AnswerError, text
from speciate.evaluators.jobs import CommandReport
from speciate.evaluators.results import Verdict
from speciate.evaluators.runner import CandidateRunner
from speciate.evaluators.sandboxed import AveragingEvaluator, Bill
from speciate.records import Failure, FailureKind, Program
from speciate.tasks import Task

TAIL: Final = 256 * 1024
"""Characters of the end of stdout in which the result is looked for."""

TRIES: Final = 200
"""Places at which a JSON object may seem to begin, before the search is given up."""


class CommandEvaluator(AveragingEvaluator):
    """Runs the task's command `repeats` times and averages; the last JSON object on stdout is the result.

    An exit status other than 0 is the candidate's exception, with the end of stderr as feedback.

    Raises:
        TaskError: the task names no command.
    """

    def __init__(self, task: Task, pool: CandidateRunner, *, slots: int) -> None:
        super().__init__(task, pool, slots=slots)
        self._argv = task.spec.evaluation.command
        if not self._argv:
            raise TaskError(f"task {task.name!r}: evaluation.command is empty; give an argument list")

    @override
    async def once(self, program: Program, repeat: int, bill: Bill) -> Verdict:
        report = await self._pool.command(program, self._argv)
        bill.add(report)
        return self._judge(report)

    def _judge(self, report: CommandReport) -> Verdict:
        if report.failure is not None:
            return report.failure
        said = text(report.stderr, FEEDBACK_BYTES, "stderr")
        if report.exit_code != 0:
            return Failure(
                FailureKind.EXCEPTION, f"the command ended with exit status {report.exit_code}", said
            )
        answer = last_object(report.stdout)
        if answer is None:
            return Failure(FailureKind.MALFORMED, "the command printed no JSON object on stdout", said)
        try:
            return results.verdict(answer, self._task)
        except AnswerError as error:
            return Failure(FailureKind.MALFORMED, f"the command's JSON: {error}", said)


def last_object(printed: str) -> dict[str, object] | None:
    """Returns the last JSON object that begins a line, or None; it may span several lines.

    Only the last `TAIL` characters are searched, at `TRIES` places at most, so no output is slow to read.
    """
    tail = printed[-TAIL:]
    starts = [at for at in _line_starts(tail) if tail[at] == "{"][-TRIES:]
    found: dict[str, object] | None = None
    end = 0
    for start in starts:
        if start < end:  # inside the object before
            continue
        try:
            value, end = json.JSONDecoder().raw_decode(tail, start)
        except (ValueError, RecursionError):
            continue
        found = value
    return found


def _line_starts(printed: str) -> list[int]:
    """Returns where each line's first visible character stands."""
    starts, offset = [], 0
    for line in printed.splitlines(keepends=True):
        if line.strip():
            starts.append(offset + len(line) - len(line.lstrip()))
        offset += len(line)
    return starts
