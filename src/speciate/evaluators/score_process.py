"""A task's score code in a process of its own, which can be killed without harm to anything else."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Final

from speciate.errors import SandboxError, ScoreError, TaskError
from speciate.evaluators import bounds, messages, score_child
from speciate.evaluators.frame import FrameError
from speciate.evaluators.jobs import Case, FrameValue
from speciate.evaluators.messages import Message
from speciate.evaluators.score_child import Child
from speciate.records import CaseResult, Context, Failure, FailureKind, Scalar
from speciate.tasks import Task

SETUP_SECONDS: Final = 120.0
"""Deadline of importing score.py and of ``cases``: once a run, perhaps with heavy libraries and data."""

WORKER: Final = "speciate.evaluators.score_worker"


@dataclass(frozen=True, slots=True)
class Answer:
    """What a candidate answered to one case.

    Attributes:
        case: the case's name.
        label: name of its result: the case's name, with the repeat's number if there are several.
        data: the answer; untrusted.
        seconds: time it took, measured by the harness.
        measured: what else was measured outside the candidate; joins the values of its result, over whatever
            score code calls by the same name.
    """

    case: str
    label: str
    data: FrameValue
    seconds: float
    measured: Mapping[str, Scalar] = field(default_factory=dict)


class _Gone(Exception):  # noqa: N818  # becomes a failure or a ScoreError in this file
    """The worker hung or died. It is dead by now; the next request starts another.

    Attributes:
        printed: the end of what it printed; may hold what no candidate may know.
    """

    def __init__(self, message: str, printed: str = "") -> None:
        super().__init__(message)
        self.printed = printed


class ScoreProcess:
    """Runs ``cases``, ``score`` and ``aggregate`` of one task in a persistent process, one request at a time.

    A request that passes its deadline or ends the process kills it; the next one starts another. The
    process gets no descriptor but its socket, and it dies with the engine.

    Args:
        task: a split task with a folder.

    Raises:
        TaskError: the task has no folder.
    """

    def __init__(self, task: Task) -> None:
        if task.folder is None:
            raise TaskError(f"task {task.name!r} of kind 'split' has no folder")
        self._task = task
        self._path = task.folder.resolve() / task.spec.evaluation.score
        self._deadline = task.spec.limits.score_seconds
        self._worker: Child | None = None
        self._closed = False

    async def start(self) -> None:
        """Starts the process if none runs.

        Raises:
            ScoreError: score.py cannot be imported or lacks a function.
            SandboxError: `close` was called.
        """
        if self._closed:
            raise SandboxError("the evaluator was closed")
        if self._worker is not None:
            return
        names = [
            "\n".join(objective.name for objective in self._task.objectives),
            "\n".join(axis.name for axis in self._task.spec.descriptors),
        ]
        self._worker = await score_child.start(WORKER, [str(self._path), *names], folder=self._path.parent)
        await self._setup(None)

    async def cases(self, context: Context) -> tuple[Case, ...]:
        """Returns the cases of a context, without what only score code may see.

        Raises:
            ScoreError: ``cases`` raised, hung or returned something else than cases.
        """
        await self.start()
        given = {
            "hash": context.hash,
            "settings": dict(context.settings),
            "seeds": list(context.seeds),
        }
        opponents = tuple(program.files for program in context.opponents)
        reply = await self._setup(Message({"do": "cases", "context": given}, opponents))
        return tuple(Case(**case) for case in reply.parts)

    async def score(self, context: Context, answers: Sequence[Answer]) -> tuple[CaseResult, ...] | Failure:
        """Judges what a candidate answered, case by case.

        Returns:
            One result an answer, in order; or a failure of kind SCORE when score code raised, hung, died or
            answered nonsense.

        Raises:
            ScoreError: score code cannot be started again, or gives other cases than before.
        """
        heads = [{"case": a.case, "label": a.label, "seconds": a.seconds} for a in answers]
        request = {"do": "score", "context": context.hash, "answers": heads}
        reply = await self._judge(Message(request, tuple(answer.data for answer in answers)))
        if isinstance(reply, Failure):
            return reply
        if "forgotten" in reply.head:
            await self.cases(context)
            return await self.score(context, answers)
        return tuple(
            _with_measured(CaseResult(**result), answer)
            for result, answer in zip(reply.parts, answers, strict=True)
        )

    async def aggregate(self, results: Sequence[CaseResult]) -> FrameValue | Failure:
        """Returns the task's answer over all results, unchecked; or a failure of kind SCORE.

        Raises:
            ScoreError: as for `score`.
        """
        found = tuple(asdict(result) for result in results)
        reply = await self._judge(Message({"do": "aggregate"}, found))
        return reply if isinstance(reply, Failure) else reply.head["answer"]

    async def close(self) -> None:
        """Ends the process. May be called twice."""
        self._closed = True
        await self._end()

    async def _end(self) -> None:
        worker, self._worker = self._worker, None
        if worker is not None:
            await worker.kill()

    async def _setup(self, request: Message | None) -> Message:
        """Asks what no candidate can have a hand in: every trouble is the task's."""
        try:
            reply = await self._ask(request, seconds=SETUP_SECONDS)
        except _Gone as gone:
            printed = f"; it printed:\n{gone.printed}" if gone.printed else ""
            raise ScoreError(f"{self._path} {gone}{printed}") from None
        return reply

    async def _judge(self, request: Message) -> Message | Failure:
        """Asks about a candidate: raising, hanging and dying may be due to its data."""
        await self.start()
        try:
            reply = await self._ask(request, seconds=self._deadline)
        except _Gone as gone:
            return _failure(f"the task's {self._path.name} {gone}")
        except FrameError as error:
            return Failure(FailureKind.MALFORMED, f"the answer cannot be handed on: {error}")
        return _failure(reply.head["raised"]) if "raised" in reply.head else reply

    async def _ask(self, request: Message | None, *, seconds: float) -> Message:
        """Sends one request (None: only waits for the greeting) and returns its reply."""
        worker = self._worker
        assert worker is not None
        sent = b"" if request is None else messages.packed(request)
        try:
            async with asyncio.timeout(seconds):
                worker.writer.write(sent)
                await worker.writer.drain()
                reply = await messages.receive_async(worker.reader)
        except TimeoutError:
            await self._end()
            raise _Gone(f"did not answer within {seconds:g} s") from None
        except (asyncio.IncompleteReadError, ConnectionError, FrameError) as error:
            raise await self._autopsy(worker, error) from None
        except BaseException:
            await self._end()  # cancelled: the reply that is still to come would answer the next request
            raise
        if "broken" in reply.head:
            raise ScoreError(reply.head["broken"])
        return reply

    async def _autopsy(self, worker: Child, error: Exception) -> Exception:
        """Returns what to raise for a worker whose channel broke."""
        if self._closed:
            return SandboxError("the evaluator was closed while it scored a candidate")
        how = f"sent what is not a frame ({error})" if isinstance(error, FrameError) else "died"
        status = await worker.how_it_ended()
        printed = worker.last_words()
        await self._end()
        return _Gone(f"{how} ({status})", printed)


def _failure(message: str) -> Failure:
    return Failure(FailureKind.SCORE, bounds.text(message, bounds.FEEDBACK_BYTES, "message"))


def _with_measured(result: CaseResult, answer: Answer) -> CaseResult:
    return replace(result, values={**result.values, **answer.measured}) if answer.measured else result
