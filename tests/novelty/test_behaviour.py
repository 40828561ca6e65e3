from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from speciate.engine import RunConfig, evolve
from speciate.novelty import BehaviourConfig, BehaviourIndex, behaviour, same_behaviour
from speciate.records import CaseResult, Context, Placed, PlacementKind, Program, Result, Scalar
from speciate.store import Store
from speciate.tasks import ObjectiveSpec, Task, task_from_functions
from speciate.testing.histories import events_of
from speciate.testing.knobs import INITIAL, read_knobs


def result(*values: Scalar, valid: bool = True) -> Result:
    cases = tuple(CaseResult(f"case {n}", {"v": value}, valid=valid) for n, value in enumerate(values))
    return Result((0.0,), cases=cases)


def same(first: Result, second: Result, tolerance: float = 1e-9) -> bool:
    a, b = behaviour(first), behaviour(second)
    assert a is not None
    assert b is not None
    return same_behaviour(a, b, tolerance)


@pytest.mark.parametrize(
    ("first", "second", "alike"),
    [
        (result(1.0, 2), result(1, 2.0), True),
        (result(1.0, 2.0), result(2.0, 1.0), False),
        (result(1.0), result(1.0, 1.0), False),
        (result(1.0), result(1.0 + 1e-12), True),
        (result(1e12), result(1e12 + 1), True),
        (result(1e-12), result(-1e-12), True),
        (result(1.0), result(1.001), False),
        (result("won"), result("won"), True),
        (result("won"), result("lost"), False),
        (result(True), result(False), False),
        (result(1.0), result(1.0, valid=False), False),
        (result(math.inf), result(math.inf), True),
        (result(math.inf), result(-math.inf), False),
        (result(math.nan), result(math.nan), True),
        (result(math.nan), result(0.0), False),
        (result(10**400), result(10**400), True),
    ],
)
def test_what_counts_as_the_same(first: Result, second: Result, alike: bool) -> None:
    assert same(first, second) == same(second, first) == alike


def test_seconds_and_feedback_are_no_behaviour() -> None:
    slow = Result((0.0,), cases=(CaseResult("case 0", {"v": 1.0}, feedback="slow", seconds=9.0),))
    assert same(slow, result(1.0))


def test_a_result_without_cases_tells_nothing() -> None:
    assert behaviour(Result((1.0,))) is None


rows = st.lists(st.integers(0, 2).map(float), min_size=2, max_size=2)


@given(st.dictionaries(st.integers(0, 40), rows, max_size=8), st.lists(rows, min_size=1, max_size=4))
def test_the_first_of_those_that_behave_the_same_is_found(
    known: dict[int, list[float]], asked: list[list[float]]
) -> None:
    index = BehaviourIndex(BehaviourConfig(), lambda ordinal: result(*known[ordinal]))
    among = np.array(sorted(known), dtype=np.int64)
    for values in asked:
        expected = min((o for o, other in known.items() if other == values), default=None)
        assert index.twin(result(*values), among, "context") == expected


def test_other_contexts_and_other_cases_are_not_compared() -> None:
    scores = {"one": 1.0, "two": 2.0}
    context = "one"
    index = BehaviourIndex(BehaviourConfig(), lambda _: result(scores[context]))
    among = np.array([5])
    assert index.twin(result(1.0), among, context) == 5
    assert index.twin(result(1.0, 1.0), among, context) is None
    context = "two"
    assert index.twin(result(1.0), among, context) is None
    assert index.twin(result(2.0), among, context) == 5


def stairs() -> Task:
    """Two knobs that are read by the step: many programs behave the same, and some score higher still."""

    def score(program: Program, context: Context) -> Result:
        x, y = read_knobs(program)
        cases = (CaseResult("x", {"step": float(round(x))}), CaseResult("y", {"step": float(round(y))}))
        return Result((-((x - 1) ** 2) - (y - 2) ** 2,), cases=cases)

    return task_from_functions(
        name="stairs",
        initial=Program.of({"initial.py": INITIAL}),
        score=score,
        objectives=[ObjectiveSpec(name="closeness")],
    )


def lived(**settings: object) -> Store:
    layer = {"budget": {"candidates": 120}, "driver": "sequential", "novelty": {"behaviour": settings}}
    return evolve(stairs(), RunConfig.model_validate(layer)).store


def placed(store: Store) -> list[Placed]:
    return [event for event in events_of(store) if isinstance(event, Placed)]


def test_a_run_tells_who_behaves_like_an_occupant() -> None:
    twins = [event for event in placed(lived()) if event.twin is not None]
    assert twins
    assert any(placement.kept for event in twins for _, placement in event.placements)


def test_where_they_are_not_kept_only_those_that_score_higher_enter() -> None:
    twins = [event for event in placed(lived(keep=False)) if event.twin is not None]
    kinds = {placement.kind for event in twins for _, placement in event.placements}
    assert PlacementKind.NOT_KEPT in kinds
    for event in twins:
        if event.best:
            assert all(placement.kept for _, placement in event.placements)
        assert all(placement.kept or not placement.evicted for _, placement in event.placements)


def test_without_a_tolerance_nobody_is_compared() -> None:
    assert not any(event.twin is not None for event in placed(lived(tolerance=None)))
