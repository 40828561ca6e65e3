from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from speciate.errors import ScoreError
from speciate.evaluators import EvaluationConfig, Evaluator, build_evaluator
from speciate.records import Context, FailureKind, Outcome, Program
from speciate.tasks import Task
from speciate.testing.evaluators import Behaviour, EvaluatorContract, evaluate, with_evaluator, write_task

RUN = "def run(program, case): return program.answer(case)"
SCORE = """
    def cases(context):
        n = context.settings.get("n", 1)
        return [{"name": "one", "data": n}, {"name": "two", "data": 2, "answer": 9}]

    def score(case, data):
        if data == "strange": raise TypeError("not a number")
        values = {"x": data, "answer": case.get("answer", 0)}
        return {"values": values, "valid": data < 1000, "feedback": "big"}
    """
LIMITS = {"cpu_seconds": 1.0, "wall_seconds": 5.0, "score_seconds": 10.0}
PROGRAMS: dict[Behaviour, str] = {
    "syntax": "def answer(case: return 1",
    "exception": "def answer(case): return 1 / 0",
    "invalid": "def answer(case): return 1001",
    "non_finite": "def answer(case): return float('nan') if case == 2 else 1",
    "hang": "def answer(case):\n    while True: pass",
    "exit": "import sys\ndef answer(case): sys.exit(0)",
}


def program(text: str) -> Program:
    return Program.of({"initial.py": text})


def constant(value: float) -> Program:
    return program(f"def answer(case): return {value!r}")


def task(folder: Path, score: str = SCORE, **spec: object) -> Task:
    files = {"initial.py": "def answer(case): return 1", "run.py": RUN, "score.py": score}
    return write_task(folder, files, initial="initial.py", **{"limits": LIMITS, **spec})


def make(made: Task, **config: object) -> Evaluator:
    return build_evaluator(made, EvaluationConfig.model_validate({"slots": 2, **config}))


def one(made: Task, candidate: Program, context: Context | None = None) -> Outcome:
    return evaluate(make(made), candidate, context=context)[0]


class TestContract(EvaluatorContract):
    def make(self, folder: Path) -> Evaluator:
        score = SCORE.replace("data < 1000", "not data >= 1000")
        return make(task(folder, score))

    def valid(self, value: int) -> Program:
        return constant(value)

    def failing(self, behaviour: Behaviour) -> Program:
        return program(PROGRAMS[behaviour])


def test_the_mean_over_cases_is_the_score_and_cases_are_kept(tmp_path: Path) -> None:
    outcome = one(task(tmp_path), program("def answer(case): return case * 10"), Context(settings={"n": 4}))
    assert outcome.fitness == (30.0,)
    assert outcome.result is not None
    assert [(case.case, case.values) for case in outcome.result.cases] == [
        ("one", {"x": 40, "answer": 0}),
        ("two", {"x": 20, "answer": 9}),
    ]


def test_several_objectives_and_a_descriptor_come_from_aggregate(tmp_path: Path) -> None:
    score = (
        SCORE
        + """
    def aggregate(results):
        return {"objectives": {"x": -5, "time": -0.5}, "descriptor": {"d": len(results)},
                "public": {"n": 1}, "private": {"seed": 3}, "feedback": "fine"}
    """
    )
    objectives = [{"name": "x"}, {"name": "time", "direction": "minimize"}]
    made = task(tmp_path, score, objectives=objectives, descriptors=[{"name": "d", "edges": [1.0]}])
    result = one(made, constant(1)).result
    assert result is not None
    assert result.objectives == (-5.0, 0.5)
    assert result.descriptor == (2.0,)
    assert (result.public, result.private, result.feedback) == ({"n": 1}, {"seed": 3}, "fine")


def test_a_minimised_objective_with_negative_values_is_turned_once(tmp_path: Path) -> None:
    made = task(tmp_path, objectives=[{"name": "x", "direction": "minimize"}])
    assert one(made, constant(-3)).fitness == (3.0,)


def test_a_program_of_several_files(tmp_path: Path) -> None:
    made = task(tmp_path, program={"files": ["initial.py", "helper.py"], "mutable": "whole"})
    several = Program.of(
        {"initial.py": "from helper import F\ndef answer(case): return F", "helper.py": "F = 6"}
    )
    assert one(made, several).fitness == (6.0,)


def test_arrays_travel_to_score(tmp_path: Path) -> None:
    score = """
        import numpy as np
        def cases(context): return [{"name": "a", "data": np.arange(4.0)}]
        def score(case, data): return float((case["data"] @ data["twice"]))
        """
    made = task(tmp_path, score)
    assert one(made, program("def answer(case): return {'twice': case * 2}")).fitness == (28.0,)


def test_score_raising_on_the_data_is_the_candidates_failure(tmp_path: Path) -> None:
    failure = one(task(tmp_path), constant("strange")).failure  # type: ignore[arg-type]  # strange on purpose
    assert failure is not None
    assert failure.kind is FailureKind.SCORE
    assert "not a number" in failure.message


@pytest.mark.parametrize(
    ("returned", "said"),
    [
        ("{'objectives': {'y': 1}}", "unknown objective 'y'"),
        ("{'objectives': {}}", "no objective 'x'"),
        ("{'objectives': {'x': 'high'}}", "objective 'x' is a str"),
        ("[1, 2]", "is a list; expected a dict"),
        ("{1, 2}", "set"),
    ],
)
def test_nonsense_from_aggregate_is_the_candidates_failure(tmp_path: Path, returned: str, said: str) -> None:
    failure = one(
        task(tmp_path, SCORE + f"\n    def aggregate(results): return {returned}\n"), constant(1)
    ).failure
    assert failure is not None
    assert failure.kind is FailureKind.SCORE
    assert said in failure.message


def test_a_score_file_that_cannot_be_imported_blames_the_task_at_the_start(tmp_path: Path) -> None:
    with pytest.raises(ScoreError, match="cannot be imported"):
        one(task(tmp_path, "1 / 0"), constant(1))


CASCADE = """
    def cases(context):
        return [{"name": "quick", "data": 1, "stage": 0}, {"name": "slow", "data": 2, "stage": 1}]
    def score(case, data): return data
    """
COUNTING = "def answer(case): return {0} * case"


def cascade(folder: Path, threshold: float, direction: str = "maximize") -> Task:
    evaluation = {"kind": "split", "thresholds": [threshold]}
    return task(folder, CASCADE, evaluation=evaluation, objectives=[{"name": "x", "direction": direction}])


def test_a_candidate_below_the_threshold_stops_without_a_score(tmp_path: Path) -> None:
    failure = one(cascade(tmp_path, 3.0), program(COUNTING.format(2))).failure
    assert failure is not None
    assert failure.kind is FailureKind.BELOW_THRESHOLD
    assert "x is 2 and must be at least 3" in failure.message


@pytest.mark.parametrize("direction", ["maximize", "minimize"])
def test_a_candidate_at_the_threshold_goes_on_and_all_cases_count(tmp_path: Path, direction: str) -> None:
    outcome = one(cascade(tmp_path, 3.0, direction), program(COUNTING.format(3)))
    assert outcome.result is not None
    assert [case.case for case in outcome.result.cases] == ["quick", "slow"]
    assert abs(outcome.result.objectives[0]) == 4.5
    assert outcome.evaluations == 1


def test_a_stopped_candidate_does_not_run_the_next_stage(tmp_path: Path) -> None:
    hangs = "def answer(case):\n    while case == 2: pass\n    return 1"
    (stopped, ran) = evaluate(
        make(cascade(tmp_path, 3.0)), program(hangs), program(hangs.replace("return 1", "return 5"))
    )
    assert stopped.failure is not None
    assert ran.failure is not None
    assert (stopped.failure.kind, ran.failure.kind) == (FailureKind.BELOW_THRESHOLD, FailureKind.CPU_LIMIT)


def test_each_repeat_is_a_process_of_its_own_and_named_by_its_number(tmp_path: Path) -> None:
    remembers = "n = 0\ndef answer(case):\n    global n\n    n += 1\n    return n"
    outcome = one(task(tmp_path, evaluation={"kind": "split", "repeats": 3}), program(remembers))
    assert outcome.result is not None
    values = {case.case: case.values["x"] for case in outcome.result.cases}
    assert values == {f"{name}#{i}": n for i in (1, 2, 3) for name, n in (("one", 1), ("two", 2))}
    assert outcome.evaluations == 3


def test_repeats_draw_differently_and_a_second_evaluation_the_same(tmp_path: Path) -> None:
    draws = program("import random\ndef answer(case): return random.random()")
    made = task(tmp_path, evaluation={"kind": "split", "repeats": 2})
    first, second = (outcome.result for outcome in evaluate(make(made), draws, draws))
    assert first is not None
    assert second is not None
    values = [case.values["x"] for case in first.cases]
    assert len(set(values)) == 4
    assert values == [case.values["x"] for case in second.cases]


def test_known_cases_are_not_run_again(tmp_path: Path) -> None:
    (tmp_path / "task").mkdir()
    made = task(tmp_path / "task")
    config = {"cache_dir": tmp_path / "cache"}
    (first,) = evaluate(make(made, **config), constant(3))
    (second,) = evaluate(make(made, **config), constant(3))
    assert first.fitness == second.fitness
    assert (first.evaluations, second.evaluations) == (1, 0)


def test_changed_score_code_forgets_what_was_known(tmp_path: Path) -> None:
    (tmp_path / "task").mkdir()
    config = {"cache_dir": tmp_path / "cache"}
    evaluate(make(task(tmp_path / "task"), **config), constant(3))
    changed = task(tmp_path / "task", SCORE.replace('"x": data', '"x": 2 * data'))
    (outcome,) = evaluate(make(changed, **config), constant(3))
    assert (outcome.fitness, outcome.evaluations) == ((6.0,), 1)


def test_only_the_missing_cases_are_run(tmp_path: Path) -> None:
    (tmp_path / "task").mkdir()
    made = task(tmp_path / "task")
    config = {"cache_dir": tmp_path / "cache"}
    evaluate(make(made, **config), constant(3))
    sorted((tmp_path / "cache").rglob("*.json"))[0].unlink()
    (outcome,) = evaluate(make(made, **config), constant(3))
    assert outcome.result is not None
    assert [case.case for case in outcome.result.cases] == ["one", "two"]
    assert outcome.evaluations == 1


def test_contexts_are_kept_apart(tmp_path: Path) -> None:
    contexts = [Context(settings={"n": n}) for n in (1, 2, 3, 4, 5, 6, 1)]

    async def use(evaluator: Evaluator) -> list[Outcome]:
        echo = program("def answer(case): return case")
        return await asyncio.gather(*(evaluator.evaluate(echo, context) for context in contexts))

    outcomes = with_evaluator(make(task(tmp_path)), use)
    assert [outcome.fitness for outcome in outcomes] == [((n + 2) / 2,) for n in (1, 2, 3, 4, 5, 6, 1)]


def test_the_candidate_never_sees_score_code(tmp_path: Path) -> None:
    looks = """
import os
def answer(case):
    seen = [name for folder, _, names in os.walk("/") for name in names if name == "score.py"]
    return len(seen)
"""
    made = task(tmp_path, limits={"cpu_seconds": 20.0, "wall_seconds": 40.0})
    assert one(made, program(looks)).fitness == (0.0,)


def test_what_a_candidate_says_about_its_end_can_be_recorded(tmp_path: Path) -> None:
    source = "def answer(case): raise ValueError('half a character: \\ud83d' + chr(0))"
    failure = one(task(tmp_path), program(source)).failure
    assert failure is not None
    assert failure.message == "ValueError: half a character: \ufffd\ufffd"
    assert (failure.message + failure.feedback).encode()
