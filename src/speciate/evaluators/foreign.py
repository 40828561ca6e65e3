"""Score code written for another system, run in the sandbox through a shim that speaks its contract."""

from __future__ import annotations

from collections.abc import Mapping

from typing_extensions import override

from speciate.evaluators import bounds, results
from speciate.evaluators.bounds import AnswerError
from speciate.evaluators.jobs import Case, FrameValue, Job
from speciate.evaluators.results import Verdict
from speciate.evaluators.sandboxed import AveragingEvaluator, Bill, explained
from speciate.records import Failure, FailureKind, Program

SCORE = "combined_score"
"""What both systems call the number that counts; higher is better."""

_TOLD = (FailureKind.INVALID, FailureKind.BELOW_THRESHOLD, FailureKind.MALFORMED, FailureKind.SCORE)
"""Kinds of failure that a shim may tell of; all others are seen from outside or told by the harness."""


class ForeignEvaluator(AveragingEvaluator):
    """Has the shim of the task's kind call the task's evaluate file; averages over repeats.

    The shim answers ``{"score", "public", "private", "feedback", "artifacts", "extra"}`` or
    ``{"failure", "message", "feedback"}``, a failure's kind by name. It shares the candidate's process, so
    all of that may be forged, and a wrong shape is the candidate's failure (MALFORMED).

    Objectives and descriptors are looked up by name among the metrics; the first objective is the combined
    score unless a metric has its name.
    """

    @override
    async def once(self, program: Program, repeat: int, bill: Bill) -> Verdict:
        job = Job(program, "foreign", (Case("evaluate", self._settings()),), seed=repeat)
        report = await self._pool.run(job)
        bill.add(report)
        if report.failure is not None:
            return explained(report.failure, report.output)
        try:
            judged = self._judge(bounds.mapping(report.cases[0].data, "the answer"))
        except AnswerError as error:
            judged = Failure(FailureKind.MALFORMED, f"{self._script}: {error}")
        return explained(judged, report.output) if isinstance(judged, Failure) else judged

    @property
    def _script(self) -> str:
        return self._task.spec.evaluation.evaluate

    def _settings(self) -> FrameValue:
        """Returns what the shim is told; two parameters of a task are for it."""
        spec = self._task.spec
        features = spec.parameters.get("feature_dimensions")
        arguments = spec.parameters.get("evaluator_args")
        return {
            "thresholds": list(spec.evaluation.thresholds),
            "stopped": spec.evaluation.stopped,
            "arguments": arguments if isinstance(arguments, dict) else {},
            "features": [
                *(features if isinstance(features, list) else ()),
                *(axis.name for axis in spec.descriptors),
            ],
        }

    def _judge(self, answer: Mapping[object, object]) -> Verdict:
        if "failure" in answer:
            return _failure(answer)
        public = bounds.mapping(answer.get("public", {}), "public")
        private = bounds.mapping(answer.get("private", {}), "private")
        values = {SCORE: answer.get("score"), **private, **public}
        first, *others = (objective.name for objective in self._task.objectives)
        full = {
            "objectives": {first: values.get(first, values[SCORE]), **_picked(values, others)},
            "descriptor": _picked(values, [axis.name for axis in self._task.spec.descriptors]),
            "public": public,
            "private": private,
            "feedback": answer.get("feedback", ""),
            "artifacts": answer.get("artifacts", {}),
            "extra": answer.get("extra", {}),
        }
        return results.verdict(full, self._task)


def _picked(values: Mapping[object, object], names: list[str]) -> dict[str, object]:
    return {name: values[name] for name in names if name in values}


def _failure(answer: Mapping[object, object]) -> Failure:
    """Returns the failure a shim told of.

    Raises:
        AnswerError: it is none of those that a shim can know of.
    """
    told = bounds.text(answer["failure"], bounds.METRIC_TEXT_BYTES, "failure")
    kind = next((kind for kind in _TOLD if kind.value == told), None)
    if kind is None:
        raise AnswerError(f"told of a failure of kind {told!r}, which only others can see")
    message = bounds.text(answer.get("message", ""), bounds.METRIC_TEXT_BYTES, "message")
    return Failure(kind, message, bounds.text(answer.get("feedback", ""), bounds.FEEDBACK_BYTES, "feedback"))
