"""The kind that cannot be forged: the candidate returns data in the sandbox, score code judges it outside."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from typing_extensions import override

from speciate.evaluators import bounds, cascade, results
from speciate.evaluators.bounds import AnswerError
from speciate.evaluators.cache import CaseCache
from speciate.evaluators.jobs import Case, Job
from speciate.evaluators.results import Verdict
from speciate.evaluators.runner import CandidateRunner
from speciate.evaluators.sandboxed import Bill, SandboxedEvaluator, explained
from speciate.evaluators.score_pool import ScorePool
from speciate.evaluators.score_process import Answer
from speciate.records import CaseResult, Context, Failure, FailureKind, Outcome, Program
from speciate.tasks import Task

CONTEXTS = 4
"""Contexts whose cases are kept."""


class SplitEvaluator(SandboxedEvaluator):
    """Runs ``run(program, case)`` of run.py in the sandbox; score.py judges the data in a process apart.

    Stage by stage: all repeats of a stage's cases, each repeat in a candidate process of its own; then
    ``score`` for each case and ``aggregate``. The last stage's candidates are aggregated over the cases of
    all stages. Limits count for each candidate process.

    Args:
        task: what is to be evolved.
        pool: where candidates run.
        slots: how many candidates the pool runs at once.
        case_cache: case results of earlier runs, or None.
        evaluator_hash: identity of the task's scoring, for the cache.
    """

    def __init__(
        self,
        task: Task,
        pool: CandidateRunner,
        *,
        slots: int,
        case_cache: CaseCache | None = None,
        evaluator_hash: str = "",
    ) -> None:
        super().__init__(task, pool, slots=slots)
        self._scores = ScorePool(task, most=slots)
        self._case_cache = case_cache
        self._evaluator_hash = evaluator_hash
        self._stages: dict[str, tuple[tuple[Case, ...], ...]] = {}

    @override
    async def start(self) -> None:
        await self._scores.start()
        await super().start()

    @override
    async def close(self) -> None:
        await self._scores.close()
        await super().close()

    @override
    async def evaluate(self, program: Program, context: Context) -> Outcome:
        bill = Bill()
        return bill.outcome(await self._judge(program, context, bill))

    async def _judge(self, program: Program, context: Context, bill: Bill) -> Verdict:
        stages = await self._staged_cases(context)
        found: list[CaseResult] = []
        for stage, cases in enumerate(stages):
            reached = await self._stage(program, context, cases, bill, first=stage == 0)
            if isinstance(reached, Failure):
                return reached
            found += reached
            if stage < len(stages) - 1:
                refused = await self._refusal(reached, stage)
                if refused is not None:
                    return refused
        return await self._aggregate(found)

    async def _staged_cases(self, context: Context) -> tuple[tuple[Case, ...], ...]:
        key = context.hash
        if key not in self._stages:
            self._stages[key] = cascade.stages(await self._scores.cases(context), self._task)
            while len(self._stages) > CONTEXTS:
                del self._stages[next(iter(self._stages))]
        return self._stages[key]

    async def _stage(
        self, program: Program, context: Context, cases: Sequence[Case], bill: Bill, *, first: bool
    ) -> tuple[CaseResult, ...] | Failure:
        """Returns the results of one stage in the order of its cases, repeat by repeat."""
        known = await self._remembered(program, context, cases)
        missing = [case for case in cases if case.name not in known]
        if not missing:
            return tuple(known[case.name] for case in cases)
        answers = await self._run(program, missing, bill, first=first)
        if isinstance(answers, Failure):
            return answers
        scored = await self._scores.score(context, answers)
        if isinstance(scored, Failure):
            return scored
        await self._remember(program, context, scored)
        if not known:
            return scored
        known |= {result.case: result for result in scored}
        return tuple(known[case.name] for case in cases)

    async def _run(
        self, program: Program, cases: Sequence[Case], bill: Bill, *, first: bool
    ) -> list[Answer] | Failure:
        answers: list[Answer] = []
        repeats = self._task.spec.evaluation.repeats
        for repeat in range(repeats):
            report = await self._pool.run(Job(program, "run", tuple(cases), seed=repeat))
            bill.add(report, runs=int(first))
            if report.failure is not None:
                return explained(report.failure, report.output)
            mark = f"#{repeat + 1}" if repeats > 1 else ""
            answers += [Answer(c.case, c.case + mark, c.data, c.seconds) for c in report.cases]
        return answers

    async def _refusal(self, reached: Sequence[CaseResult], stage: int) -> Failure | None:
        judged = await self._aggregate(reached)
        return judged if isinstance(judged, Failure) else cascade.refusal(judged, self._task, stage)

    async def _aggregate(self, found: Sequence[CaseResult]) -> Verdict:
        answer = await self._scores.aggregate(found)
        if isinstance(answer, Failure):
            return answer
        try:
            if not isinstance(answer, Mapping):
                raise AnswerError(f"the answer is {bounds.kind(answer)}; expected a dict")
            return results.verdict(answer, self._task, cases=found)
        except AnswerError as error:
            return Failure(FailureKind.SCORE, f"aggregate() answered nonsense: {error}")

    async def _remembered(
        self, program: Program, context: Context, cases: Sequence[Case]
    ) -> dict[str, CaseResult]:
        """Returns what is known of these cases, by case name."""
        if self._case_cache is None:
            return {}
        keys = {self._key(program, context, case.name): case.name for case in cases}
        stored = await asyncio.to_thread(self._case_cache.load, keys)
        return {keys[key]: result for key, result in stored.items()}

    async def _remember(self, program: Program, context: Context, scored: Sequence[CaseResult]) -> None:
        if self._case_cache is not None:
            stored = {self._key(program, context, result.case): result for result in scored}
            await asyncio.to_thread(self._case_cache.save, stored)

    def _key(self, program: Program, context: Context, case: str) -> str:
        return CaseCache.key(program.hash, self._evaluator_hash, context.hash, case)
