"""Cheap cases first: a candidate must reach a threshold before the next stage is paid for."""

from __future__ import annotations

from collections.abc import Sequence

from speciate.errors import ScoreError
from speciate.evaluators.jobs import Case
from speciate.records import Failure, FailureKind, Result
from speciate.tasks import Task


def stages(cases: Sequence[Case], task: Task) -> tuple[tuple[Case, ...], ...]:
    """Returns the cases by stage, each stage in the order in which they were given.

    Without thresholds all cases are one stage, whatever they say.

    Raises:
        ScoreError: a stage has no case, or there is not one threshold a stage but the last.
    """
    thresholds = task.spec.evaluation.thresholds
    if not thresholds:
        return (tuple(cases),)
    count = max(case.stage for case in cases) + 1
    if count != len(thresholds) + 1:
        raise ScoreError(
            f"the cases of task {task.name!r} have {count} stages and task.toml has {len(thresholds)}"
            " thresholds; give one threshold a stage but the last"
        )
    staged = tuple(tuple(case for case in cases if case.stage == stage) for stage in range(count))
    for stage, members in enumerate(staged):
        if not members:
            raise ScoreError(f"stage {stage} of task {task.name!r} has no case")
    return staged


def refusal(reached: Result, task: Task, stage: int) -> Failure | None:
    """Returns why a candidate may not go on after `stage`, or None when it may.

    The first objective, aggregated over the cases of this stage alone, must be at least the threshold (at
    most, when it is minimised). What it reached is told in words; a stopped candidate has no score.
    """
    objective = task.objectives[0]
    threshold = task.spec.evaluation.thresholds[stage]
    if reached.objectives[0] >= objective.inward(threshold):
        return None
    bound = "at most" if objective.direction == "minimize" else "at least"
    value = objective.outward(reached.objectives[0])
    return Failure(
        FailureKind.BELOW_THRESHOLD,
        f"stopped after stage {stage}: {objective.name} is {value:.6g} and must be {bound} {threshold:.6g}",
        reached.feedback,
    )
