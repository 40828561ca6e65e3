"""One function that runs and scores in the sandbox: handy, and forgeable by the candidate it scores."""

from __future__ import annotations

from typing_extensions import override

from speciate.evaluators import results
from speciate.evaluators.bounds import AnswerError
from speciate.evaluators.jobs import Case, Job
from speciate.evaluators.results import Verdict
from speciate.evaluators.sandboxed import Bill, SandboxedEvaluator, explained
from speciate.records import Context, Failure, FailureKind, Outcome, Program, Result


class PlainEvaluator(SandboxedEvaluator):
    """Calls ``evaluate(path)`` of the task's evaluate file beside the candidate; averages over repeats.

    The answer is a dict or number as `results` describes. It comes out of the candidate's own process, so a
    wrong shape is the candidate's failure (MALFORMED), never an error of ours.
    """

    @override
    async def evaluate(self, program: Program, context: Context) -> Outcome:
        bill = Bill()
        found: list[Result] = []
        for _ in range(self._task.spec.evaluation.repeats):
            judged = await self._once(program, bill)
            if isinstance(judged, Failure):
                return bill.outcome(judged)
            found.append(judged)
        return bill.outcome(results.mean(found))

    async def _once(self, program: Program, bill: Bill) -> Verdict:
        report = await self._pool.run(Job(program, "plain", (Case("evaluate"),)))
        bill.add(report)
        if report.failure is not None:
            return explained(report.failure, report.output)
        try:
            return results.verdict(report.cases[0].data, self._task)
        except AnswerError as error:
            return explained(Failure(FailureKind.MALFORMED, f"evaluate(path): {error}"), report.output)
