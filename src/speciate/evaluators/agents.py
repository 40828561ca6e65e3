"""The kind ``split`` for candidates that ask a model: one narrow pipe leads out of the sandbox.

    candidate --Q frame--> keeper --> engine --> `Ask` (the run's gateway: budget, record) --> model

Each case of each repeat has a candidate process of its own, so that many wait for the model at once and none
learns from another case. The candidate chooses prompt, system message and temperature; whom it asks, how
often and how long the answers are is the task's business.
"""

from __future__ import annotations

import asyncio
import copy
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from typing_extensions import override

from speciate.errors import UsageError
from speciate.evaluators import frame
from speciate.evaluators.base import Evaluator
from speciate.evaluators.jobs import Case, Job, Report, Respond, Response
from speciate.evaluators.runner import CandidateRunner
from speciate.evaluators.sandboxed import Bill, explained
from speciate.evaluators.score_process import Answer
from speciate.evaluators.split import SplitEvaluator
from speciate.records import (
    Ask,
    Context,
    Failure,
    FailureKind,
    Message,
    Outcome,
    Program,
    Query,
    Request,
    Sampling,
    Scalar,
    Seconds,
    Usage,
    text_hash,
)
from speciate.tasks import Gateway, Task

NO_ANSWER = "the model gave no answer"
"""What a candidate learns of a call that failed; a provider's own words may hold what it must not see."""


class AgentEvaluator(SplitEvaluator):
    """Runs ``run(program, case, query)`` of run.py; score.py judges outside, as for every split task.

    The values of each case's result get ``calls`` (questions), ``failed_calls`` (those without an answer),
    ``input_tokens``, ``output_tokens`` and, where prices are known, ``cost`` (dollars): measured here, out of
    the candidate's reach. A case's `seconds` are its own plus those that the model says it took.

    Args:
        task: what is to be evolved.
        pool: where candidates run.
        gateway: whom they may ask, and how often.
        slots: how many candidate processes the pool runs at once.
    """

    def __init__(self, task: Task, pool: CandidateRunner, gateway: Gateway, *, slots: int) -> None:
        super().__init__(task, pool, slots=slots)
        self._gateway = gateway
        self._ask: Ask | None = None

    @override
    def asking(self, ask: Ask) -> Evaluator:
        for_one = copy.copy(self)  # pool, score processes and cases stay shared
        for_one._ask = ask
        return for_one

    @override
    async def evaluate(self, program: Program, context: Context) -> Outcome:
        if self._ask is None:
            raise UsageError(
                f"candidates of task {self._task.name!r} ask a model: evaluate them by asking(…).evaluate(…)"
            )
        return await super().evaluate(program, context)

    @override
    async def _run(
        self, program: Program, cases: Sequence[Case], bill: Bill, *, first: bool
    ) -> list[Answer] | Failure:
        repeats = self._task.spec.evaluation.repeats
        talks = [self._talk(program, case, repeat) for repeat in range(repeats) for case in cases]
        # The first one alone: most broken programs break there, before they have spent much.
        reports = [await self._hold(program, talks[0])]
        if reports[0].failure is None:
            rest = (self._hold(program, talk) for talk in talks[1:])
            ended = await asyncio.gather(*rest, return_exceptions=True)  # what is in flight is paid for
            for report in ended:
                if isinstance(report, BaseException):
                    raise report
                reports.append(report)
        answers: list[Answer] = []
        for talk, report in zip(talks, reports, strict=False):
            bill.add(report, runs=int(first and talk.case is cases[0]))
            if report.failure is not None:
                return self._explained(report.failure, report, talk)
            answers.append(self._answer(talk, report, repeats))
        return answers

    def _talk(self, program: Program, case: Case, repeat: int) -> Talk:
        assert self._ask is not None, "checked in evaluate"
        return Talk(self._ask, self._gateway, program, case, repeat)

    async def _hold(self, program: Program, talk: Talk) -> Report:
        return await self._pool.run(Job(program, "agent", (talk.case,), seed=talk.repeat), talk.begin)

    def _explained(self, failure: Failure, report: Report, talk: Talk) -> Failure:
        if failure.kind is FailureKind.CALL_LIMIT:
            most = self._gateway.calls
            failure = replace(
                failure, message=f"asked the model more than {most} times about {talk.case.name}"
            )
        return explained(failure, report.output)

    @staticmethod
    def _answer(talk: Talk, report: Report, repeats: int) -> Answer:
        (case,) = report.cases
        mark = f"#{talk.repeat + 1}" if repeats > 1 else ""
        seconds = max(0.0, case.seconds - talk.waited) + talk.seconds
        return Answer(case.case, case.case + mark, case.data, seconds, talk.measured())


@dataclass(slots=True)
class Talk:
    """What one candidate process asks about one case.

    Attributes:
        ask: answers.
        gateway: bounds.
        program: the candidate.
        case: the case.
        repeat: the repeat.
        calls: questions so far.
        failed: those without an answer.
        usage: tokens and dollars.
        seconds: what the model says it took.
        waited: what it took here; less where replies are read from the record.
    """

    ask: Ask
    gateway: Gateway
    program: Program
    case: Case
    repeat: int
    calls: int = 0
    failed: int = 0
    usage: Usage = field(default_factory=Usage)
    seconds: Seconds = 0.0
    waited: Seconds = 0.0
    _equal: Counter[str] = field(default_factory=Counter)

    def begin(self) -> Respond:
        """Returns who answers; counts begin anew, for the job does."""
        self.calls = self.failed = 0
        self.usage, self.seconds, self.waited = Usage(), 0.0, 0.0
        self._equal.clear()
        return self._respond

    def measured(self) -> dict[str, Scalar]:
        """Returns what joins the values of the case's result."""
        values: dict[str, Scalar] = {
            "calls": self.calls,
            "failed_calls": self.failed,
            "input_tokens": self.usage.input_tokens,
            "output_tokens": self.usage.output_tokens,
        }
        return values if self.usage.cost is None else values | {"cost": self.usage.cost}

    async def _respond(self, question: bytes) -> Response:
        request = self._request(question)
        if request is None:
            return "malformed"
        if self.calls >= self.gateway.calls:
            return "calls"
        self.calls += 1
        began = time.monotonic()
        reply = await self.ask(Query(self.case.name, self.repeat, request))
        self.waited += time.monotonic() - began
        self.seconds += reply.seconds
        self.usage += reply.usage
        self.failed += reply.error is not None
        return frame.encode({"text": reply.text, "error": "" if reply.error is None else NO_ANSWER})

    def _request(self, question: bytes) -> Request | None:
        """Returns what is asked, or None where the candidate wrote what is no question."""
        try:
            asked = frame.decode(question)
            prompt, system, temperature = asked["prompt"], asked["system"], asked["temperature"]
            if not (isinstance(prompt, str) and isinstance(system, str) and isinstance(temperature, float)):
                return None
            (prompt + system).encode()
        except (ValueError, TypeError, LookupError):
            return None
        if not 0 <= temperature <= 2:
            return None
        messages = (Message("system", (system,)),) if system else ()
        messages = (*messages, Message("user", (prompt,)))
        request = Request(messages, Sampling(max_tokens=self.gateway.max_tokens, temperature=temperature))
        return replace(request, sampling=replace(request.sampling, seed=self._draw(request)))

    def _draw(self, request: Request) -> int:
        """Returns the seed of a call: its own for each candidate, case, repeat and equal question before."""
        number = self._equal[request.hash]
        self._equal[request.hash] += 1
        name = f"{self.program.hash}|{self.case.name}|{self.repeat}|{number}"
        return int(text_hash(name)[:8], 16) >> 1  # providers take 31 bits
