"""From what score code answers to a `Result` or a `Failure`: the one way for every kind of evaluator.

Two shapes are understood. The full one names its parts::

    {"objectives": {"sum": 2.3}, "valid": True, "public": {}, "private": {}, "feedback": "",
     "descriptor": {"length": 12}, "artifacts": {}, "extra": {}}

The flat one has no ``objectives``: objectives stand at the top (the first one may be called
``combined_score``), and every further scalar is a public metric. A bare number is the first objective.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Final, TypeAlias

from speciate.errors import nearest
from speciate.evaluators import bounds
from speciate.evaluators.bounds import AnswerError
from speciate.records import CaseResult, Failure, FailureKind, Fitness, Outcome, Result, Scalar
from speciate.tasks import Task

Verdict: TypeAlias = Result | Failure
"""What one evaluation comes to, before times are added."""

PARTS: Final = ("objectives", "valid", "public", "private", "feedback", "descriptor", "artifacts", "extra")
SYNONYMS: Final = {"correct": "valid", "text_feedback": "feedback"}


def verdict(answer: object, task: Task, *, cases: Sequence[CaseResult] = ()) -> Verdict:
    """Judges an answer: a `Result` with objectives turned so that higher is better, or a `Failure`.

    Args:
        answer: a `Result` (objectives already higher is better), a dict of one of the two shapes, or a
            number.
        task: whose objectives and descriptors must be there.
        cases: what the answer rests on. One invalid case makes it invalid unless it says ``valid: True``.

    Returns:
        A failure of kind INVALID or NON_FINITE, or the result, bounded in size.

    Raises:
        AnswerError: the answer is nonsense; the message names what is wrong.
    """
    if isinstance(answer, Result):
        return _checked(_bounded(answer), task)
    parts = _parts(answer, task)
    feedback = bounds.text(parts.get("feedback", ""), bounds.FEEDBACK_BYTES, "feedback")
    valid = bounds.flag(parts["valid"], "valid") if "valid" in parts else all(case.valid for case in cases)
    if not valid:
        return _invalid(feedback, cases)
    return _checked(
        Result(
            objectives=_objectives(parts["objectives"], task),
            public=bounds.metrics(parts.get("public", {}), "public"),
            private=bounds.metrics(parts.get("private", {}), "private"),
            feedback=feedback,
            descriptor=_descriptor(parts.get("descriptor", {}), task),
            cases=tuple(_bounded_case(case) for case in cases),
            artifacts=bounds.artifacts(parts.get("artifacts", {})),
            extra=bounds.extra(parts.get("extra", {})),
        ),
        task,
    )


def mean(results: Sequence[Result]) -> Result:
    """Returns one result for several runs of one program, at least one.

    Objectives, descriptor and numeric metrics that all runs share are arithmetic means; everything else is
    the first run's. Cases are kept from all runs.
    """
    first = results[0]
    if len(results) == 1:
        return first
    return Result(
        objectives=tuple(fmean(column) for column in zip(*(r.objectives for r in results), strict=True)),
        public=_mean_metrics([r.public for r in results]),
        private=_mean_metrics([r.private for r in results]),
        feedback=first.feedback,
        descriptor=_mean_descriptor(results),
        cases=tuple(case for result in results for case in result.cases),
        artifacts=first.artifacts,
        extra=first.extra,
    )


def outcome(
    judged: Verdict,
    *,
    seconds: float = 0.0,
    cpu_seconds: float = 0.0,
    memory_mb: float | None = None,
    evaluations: int = 1,
) -> Outcome:
    """Returns the outcome of a verdict with what it cost (see `Outcome` for units)."""
    return Outcome(
        result=judged if isinstance(judged, Result) else None,
        failure=_recordable(judged) if isinstance(judged, Failure) else None,
        seconds=seconds,
        cpu_seconds=cpu_seconds,
        memory_mb=memory_mb,
        evaluations=evaluations,
    )


def _recordable(failure: Failure) -> Failure:
    """Bounds what a failure says: candidates and exceptions of their making choose the words."""
    return Failure(
        failure.kind,
        bounds.text(failure.message, bounds.FEEDBACK_BYTES, "message"),
        bounds.text(failure.feedback, bounds.FEEDBACK_BYTES, "feedback"),
    )


def _parts(answer: object, task: Task) -> Mapping[str, object]:
    """Brings every accepted shape into the full one, without looking at the values."""
    first = task.objectives[0].name
    if not isinstance(answer, Mapping):
        return {"objectives": {first: bounds.number(answer, "the answer")}}
    parts: dict[str, object] = {}
    for name, value in answer.items():
        part = SYNONYMS.get(str(name), str(name))
        if part in parts:
            raise AnswerError(f"the answer has both {name!r} and its synonym")
        parts[part] = value
    return _full(parts) if "objectives" in parts else _unflattened(parts, task)


def _full(parts: Mapping[str, object]) -> Mapping[str, object]:
    for name in parts:
        if name not in PARTS:
            raise AnswerError(f"the answer has an unknown key {name!r}{nearest(str(name), PARTS)}")
    return parts


def _unflattened(parts: Mapping[str, object], task: Task) -> Mapping[str, object]:
    names = [objective.name for objective in task.objectives]
    objectives = {name: parts[name] for name in names if name in parts}
    if names[0] not in objectives and "combined_score" in parts:
        objectives[names[0]] = parts["combined_score"]
        names.append("combined_score")
    metrics: dict[object, object] = {n: v for n, v in parts.items() if n not in PARTS and n not in names}
    public = {**bounds.mapping(parts.get("public", {}), "public"), **metrics}
    kept = {name: value for name, value in parts.items() if name in PARTS}
    return {**kept, "objectives": objectives, "public": public}


def _objectives(given: object, task: Task) -> Fitness:
    named = bounds.mapping(given, "objectives")
    names = [objective.name for objective in task.objectives]
    _same_names(named, names, "objective")
    return tuple(o.inward(bounds.number(named[o.name], f"objective {o.name!r}")) for o in task.objectives)


def _descriptor(given: object, task: Task) -> tuple[float, ...] | None:
    named = bounds.mapping(given, "descriptor")
    names = [axis.name for axis in task.spec.descriptors]
    _same_names(named, names, "descriptor")
    return tuple(bounds.number(named[name], f"descriptor {name!r}") for name in names) or None


def _same_names(given: Mapping[object, object], names: Sequence[str], what: str) -> None:
    for name in given:
        if name not in names:
            raise AnswerError(f"the answer has an unknown {what} {name!r}{nearest(str(name), names)}")
    for name in names:
        if name not in given:
            raise AnswerError(f"the answer has no {what} {name!r}; it has {sorted(map(str, given))}")


def _checked(result: Result, task: Task) -> Verdict:
    axes = [axis.name for axis in task.spec.descriptors]
    coordinates = result.descriptor or ()
    if len(result.objectives) != len(task.objectives):
        raise AnswerError(f"{len(result.objectives)} objectives; the task has {len(task.objectives)}")
    if len(coordinates) != len(axes):
        raise AnswerError(f"{len(coordinates)} descriptor values; the task has {len(axes)}")
    names = [f"objective {o.name!r}" for o in task.objectives] + [f"descriptor {axis!r}" for axis in axes]
    for name, value in zip(names, (*result.objectives, *coordinates), strict=True):
        if not math.isfinite(value):
            # Infinity is reported without its sign: it was turned inward already.
            shown = "NaN" if math.isnan(value) else "infinite"
            return Failure(FailureKind.NON_FINITE, f"{name} is {shown}", result.feedback)
    return result


def _invalid(feedback: str, cases: Sequence[CaseResult]) -> Failure:
    refused = [case for case in cases if not case.valid]
    lines = [f"{case.case}: {case.feedback}" if case.feedback else case.case for case in refused]
    said = "\n".join([feedback, *lines] if feedback else lines)
    count = f" ({len(refused)} of {len(cases)} cases)" if refused else ""
    return Failure(
        FailureKind.INVALID,
        f"the task's validator refused the answer{count}",
        bounds.text(said, bounds.FEEDBACK_BYTES, "feedback"),
    )


def _bounded(result: Result) -> Result:
    return Result(
        objectives=result.objectives,
        public=bounds.metrics(result.public, "public"),
        private=bounds.metrics(result.private, "private"),
        feedback=bounds.text(result.feedback, bounds.FEEDBACK_BYTES, "feedback"),
        descriptor=result.descriptor,
        cases=tuple(_bounded_case(case) for case in result.cases),
        artifacts=bounds.artifacts(result.artifacts),
        extra=bounds.extra(result.extra),
    )


def _bounded_case(case: CaseResult) -> CaseResult:
    return CaseResult(
        case=case.case,
        values=bounds.metrics(case.values, f"values of case {case.case!r}"),
        valid=case.valid,
        feedback=bounds.text(case.feedback, bounds.FEEDBACK_BYTES, "feedback"),
        seconds=case.seconds,
    )


def _mean_descriptor(results: Sequence[Result]) -> tuple[float, ...] | None:
    given = [r.descriptor for r in results if r.descriptor is not None]
    return tuple(fmean(column) for column in zip(*given, strict=True)) if given else None


def _mean_metrics(runs: Sequence[Mapping[str, Scalar]]) -> dict[str, Scalar]:
    merged: dict[str, Scalar] = {}
    for name, value in runs[0].items():
        values = [run.get(name) for run in runs]
        numbers = [v for v in values if isinstance(v, int | float) and not isinstance(v, bool)]
        merged[name] = fmean(numbers) if len(numbers) == len(runs) else value
    return merged
