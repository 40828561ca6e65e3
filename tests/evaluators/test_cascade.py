from __future__ import annotations

import pytest

from speciate.errors import ScoreError
from speciate.evaluators import Case
from speciate.evaluators.cascade import refusal, stages
from speciate.records import Direction, FailureKind, Objective, Program, Result
from speciate.tasks import EvaluationSpec, ObjectiveSpec, Task, TaskSpec

CASES = (Case("a", stage=0), Case("c", stage=1), Case("b", stage=0))


def task(*thresholds: float, direction: Direction = "maximize") -> Task:
    spec = TaskSpec(
        name="t",
        objectives=(ObjectiveSpec(name="x", direction=direction),),
        evaluation=EvaluationSpec(thresholds=thresholds),
    )
    return Task(spec, Program.of({"initial.py": ""}))


def test_cases_keep_their_order_within_a_stage() -> None:
    first, second = stages(CASES, task(0.5))
    assert [case.name for case in first] == ["a", "b"]
    assert [case.name for case in second] == ["c"]


def test_without_thresholds_there_is_one_stage() -> None:
    assert stages(CASES, task()) == (CASES,)


@pytest.mark.parametrize(
    ("cases", "thresholds", "said"),
    [
        (CASES, (0.1, 0.2), "2 stages and task.toml has 2 thresholds"),
        ((Case("a", stage=1),), (0.1,), "stage 0 .* has no case"),
    ],
)
def test_stages_and_thresholds_must_fit(
    cases: tuple[Case, ...], thresholds: tuple[float, ...], said: str
) -> None:
    with pytest.raises(ScoreError, match=said):
        stages(cases, task(*thresholds))


@pytest.mark.parametrize(
    ("direction", "value", "stopped"),
    [
        ("maximize", -1.1, True),
        ("maximize", -1.0, False),
        ("minimize", -0.9, True),
        ("minimize", -1.0, False),
    ],
)
def test_the_threshold_is_in_the_objectives_own_direction(
    direction: Direction, value: float, stopped: bool
) -> None:
    made = task(-1.0, direction=direction)
    failure = refusal(Result((Objective("x", direction).inward(value),), feedback="slow"), made, 0)
    assert (failure is not None) is stopped


def test_a_refusal_says_what_was_reached_and_keeps_the_feedback() -> None:
    failure = refusal(Result((-2.5,), feedback="slow"), task(1.0, direction="minimize"), 0)
    assert failure is not None
    assert failure.kind is FailureKind.BELOW_THRESHOLD
    assert failure.message == "stopped after stage 0: x is 2.5 and must be at most 1"
    assert failure.feedback == "slow"
