"""One function that runs and scores in the sandbox: handy, and forgeable by the candidate it scores."""

from __future__ import annotations

from typing_extensions import override

from speciate.evaluators import results
from speciate.evaluators.bounds import AnswerError
from speciate.evaluators.jobs import Case, Job
from speciate.evaluators.results import Verdict
from speciate.evaluators.sandboxed import AveragingEvaluator, Bill, explained
from speciate.records import Failure, FailureKind, Program


class PlainEvaluator(AveragingEvaluator):
    """Calls ``evaluate(path)`` of the task's evaluate file beside the candidate; averages over repeats.

    The answer is a dict or number as `results` describes. It comes out of the candidate's own process, so a
    wrong shape is the candidate's failure (MALFORMED), never an error of ours.
    """

    @override
    async def once(self, program: Program, repeat: int, bill: Bill) -> Verdict:
        report = await self._pool.run(Job(program, "plain", (Case("evaluate"),), seed=repeat))
        bill.add(report)
        if report.failure is not None:
            return explained(report.failure, report.output)
        try:
            return results.verdict(report.cases[0].data, self._task)
        except AnswerError as error:
            return explained(Failure(FailureKind.MALFORMED, f"evaluate(path): {error}"), report.output)
