from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from speciate.evaluators import bounds
from speciate.evaluators.bounds import AnswerError
from speciate.evaluators.results import mean, outcome, verdict
from speciate.records import CaseResult, Failure, FailureKind, Program, Result
from speciate.tasks import DescriptorSpec, ObjectiveSpec, Task, TaskSpec

TASK = Task(
    TaskSpec(
        name="t",
        objectives=(ObjectiveSpec(name="gain"), ObjectiveSpec(name="cost", direction="minimize")),
        descriptors=(DescriptorSpec(name="length", edges=(1.0,)),),
    ),
    Program.of({"initial.py": ""}),
)
FULL = {"objectives": {"gain": -2, "cost": np.float32(-0.5)}, "descriptor": {"length": np.int64(3)}}


def accepted(answer: object, task: Task = TASK) -> Result:
    found = verdict(answer, task)
    assert isinstance(found, Result)
    return found


def refused(answer: object, *cases: CaseResult) -> Failure:
    found = verdict(answer, TASK, cases=cases)
    assert isinstance(found, Failure)
    return found


def test_only_minimised_objectives_are_negated() -> None:
    result = accepted(FULL)
    assert result.objectives == (-2.0, 0.5)
    assert result.descriptor == (3.0,)


def test_the_flat_shape_gives_the_same() -> None:
    flat = {"combined_score": -2, "cost": -0.5, "descriptor": {"length": 3}, "speed": 9, "correct": True}
    result = accepted(flat)
    assert result.objectives == accepted(FULL).objectives
    assert result.public == {"speed": 9}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"objectives": {"gain": 1}}, "no objective 'cost'"),
        ({"objectives": {"gain": 1, "cost": None}}, "objective 'cost' is None"),
        ({"objectives": {"gain": 1, "cost": True}}, "objective 'cost' is a bool"),
        ({"objectives": {"gain": 1, "cost": 1 + 2j}}, "objective 'cost' is a complex"),
        ({"objectives": {"gain": 1, "cost": 1, "gian": 1}}, "did you mean 'gain'"),
        ({"objectives": [1, 2]}, "objectives is a list"),
        ({"descriptor": {}}, "no descriptor 'length'"),
        ({"valid": 1}, "valid is a int"),
        ({"feedback": 3}, "feedback is a int"),
        ({"public": {"x": [1]}}, "public\\['x'\\] is a list"),
        ({"public": {1: 1}}, "the key 1"),
        ({"publik": {}}, "did you mean 'public'"),
        ({"artifacts": {"a": b""}}, "artifacts\\['a'\\] is a bytes"),
        ({"extra": {"a": {1, 2}}}, "extra\\['a'\\] is a set"),
    ],
)
def test_nonsense_is_named(change: dict[str, object], said: str) -> None:
    with pytest.raises(AnswerError, match=said):
        verdict({**FULL, **change}, TASK)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 10**400, np.float64("nan")])
def test_an_objective_or_descriptor_that_is_not_finite_is_a_failure(value: float) -> None:
    for answer in (
        {**FULL, "objectives": {"gain": value, "cost": 1}},
        {**FULL, "descriptor": {"length": value}},
    ):
        assert refused(answer).kind is FailureKind.NON_FINITE


def test_one_invalid_case_makes_the_answer_invalid_and_its_feedback_is_kept() -> None:
    failure = refused(
        {**FULL, "feedback": "two overlap"}, CaseResult("a", {}), CaseResult("b", {}, False, "outside")
    )
    assert failure.kind is FailureKind.INVALID
    assert failure.feedback == "two overlap\nb: outside"


def test_the_answer_may_forgive_an_invalid_case() -> None:
    found = verdict({**FULL, "valid": True}, TASK, cases=[CaseResult("b", {}, False)])
    assert isinstance(found, Result)


def test_an_invalid_answer_needs_no_objectives() -> None:
    assert refused({"objectives": {}, "valid": False}).kind is FailureKind.INVALID


def test_metrics_that_json_cannot_say_become_words() -> None:
    result = accepted({**FULL, "public": {"a": math.nan, "b": -math.inf, "c": np.int8(3), "d": 10**400}})
    assert result.public == {"a": "nan", "b": "-inf", "c": 3, "d": "inf"}


def test_sizes_are_bounded_and_the_cut_is_marked() -> None:
    result = accepted(
        {
            **FULL,
            "feedback": "é" * 9000,
            "public": {f"m{i}": i for i in range(500)},
            "artifacts": {"big": "x" * 100_000},
            "extra": {"list": list(range(50_000))},
        }
    )
    assert len(result.feedback.encode()) < bounds.FEEDBACK_BYTES + 100
    assert "[cut: 9,000 characters" in result.feedback
    assert (len(result.public), result.public[bounds.CUT]) == (bounds.METRICS + 1, "300 more")
    assert len(result.artifacts["big"]) < bounds.ARTIFACT_BYTES + 100
    assert list(result.extra) == [bounds.CUT]


def test_text_that_a_database_refuses_is_mended() -> None:
    assert accepted({**FULL, "feedback": "a\ud800b\x00c"}).feedback == "a\ufffdb\ufffdc"


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
        max_leaves=20,
    )
)
def test_any_extra_becomes_strict_json(value: object) -> None:
    tree = bounds.extra({"x": value})
    assert json.loads(json.dumps(tree, allow_nan=False).encode()) == tree


@given(st.text(), st.integers(1, 40))
def test_bounded_text_is_a_prefix(value: str, limit: int) -> None:
    mended = bounds.text(value, 10**6, "x")
    kept = bounds.text(value, limit, "x").partition("\n[cut:")[0] if len(mended.encode()) > limit else mended
    assert mended.startswith(kept)
    assert len(kept.encode()) <= max(limit, len(mended.encode()) if kept == mended else 0)


def total(answer: object) -> object:
    try:
        return verdict(answer, TASK)
    except AnswerError as error:
        return error.args[0]


@given(st.dictionaries(st.text(max_size=10), st.integers() | st.none() | st.lists(st.floats(), max_size=3)))
def test_any_answer_is_a_verdict_or_a_named_error(answer: dict[str, object]) -> None:
    assert total(answer)


def test_the_mean_over_runs_keeps_what_cannot_be_averaged_from_the_first() -> None:
    first = Result((1.0,), public={"n": 1, "name": "a", "ok": True}, descriptor=(0.0,))
    second = Result((3.0,), public={"n": 2, "name": "b", "ok": False}, descriptor=(1.0,))
    merged = mean([first, second])
    assert merged.objectives == (2.0,)
    assert merged.descriptor == (0.5,)
    assert merged.public == {"n": 1.5, "name": "a", "ok": True}


def test_a_failures_words_can_be_recorded_whoever_chose_them() -> None:
    words = "\ud800\x00" * 100_000
    failure = outcome(Failure(FailureKind.EXCEPTION, words, words)).failure
    assert failure is not None
    for said in (failure.message, failure.feedback):
        assert said.startswith("\ufffd\ufffd")
        assert len(said.encode()) < bounds.FEEDBACK_BYTES + 100


def test_a_finished_results_words_can_be_recorded_too() -> None:
    public = {"\ud800": "\ud800"}
    judged = accepted(Result(objectives=(1.0, 2.0), public=public, feedback="\ud800", descriptor=(1.0,)))
    assert (judged.public, judged.feedback) == ({"\ufffd": "\ufffd"}, "\ufffd")
