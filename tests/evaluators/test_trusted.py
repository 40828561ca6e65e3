from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import ClassVar

import pytest

from speciate.errors import ScoreError
from speciate.evaluators import Evaluator, TrustedEvaluator
from speciate.records import Context, FailureKind, Outcome, Program, Result
from speciate.tasks import EvaluationSpec, ObjectiveSpec, Task, TaskSpec
from speciate.testing.evaluators import Behaviour, EvaluatorContract

PROGRAM = Program.of({"initial.txt": "1 2 3"})


def task(function: Callable[[Program, Context], object] | None, **evaluation: object) -> Task:
    spec = TaskSpec(
        name="sum",
        language="text",
        objectives=(ObjectiveSpec(name="cost", direction="minimize"),),
        evaluation=EvaluationSpec.model_validate({"kind": "trusted", **evaluation}),
    )
    return Task(spec, PROGRAM, trusted=function)  # type: ignore[arg-type]  # dicts are accepted as well


def evaluate(evaluator: TrustedEvaluator, context: Context | None = None) -> Outcome:
    return asyncio.run(evaluator.evaluate(PROGRAM, context or Context()))


def total(program: Program, context: Context) -> object:
    return {"cost": sum(map(int, program.source.split())) + len(context.opponents)}


def test_a_minimised_objective_is_turned_inward_exactly_once() -> None:
    outcome = evaluate(TrustedEvaluator(task(total)))
    assert outcome.fitness == (-6.0,)


def test_a_result_is_taken_as_it_is() -> None:
    outcome = evaluate(TrustedEvaluator(task(lambda p, c: Result((2.5,)))))
    assert outcome.fitness == (2.5,)


def test_the_function_sees_the_context() -> None:
    outcome = evaluate(TrustedEvaluator(task(total)), Context(opponents=(PROGRAM, PROGRAM)))
    assert outcome.fitness == (-8.0,)


def test_value_error_makes_the_candidate_invalid() -> None:
    def refuse(program: Program, context: Context) -> object:
        raise ValueError("too long")

    failure = evaluate(TrustedEvaluator(task(refuse))).failure
    assert failure is not None
    assert (failure.kind, failure.message) == (FailureKind.INVALID, "too long")


def test_any_other_exception_is_a_failure_that_names_it() -> None:
    failure = evaluate(TrustedEvaluator(task(lambda p, c: 1 / 0))).failure
    assert failure is not None
    assert failure.kind is FailureKind.SCORE
    assert re.search(r"ZeroDivisionError.*ValueError", failure.message)


def test_nonsense_is_a_failure_that_says_what_is_wrong() -> None:
    failure = evaluate(TrustedEvaluator(task(lambda p, c: {"objectives": {"cots": 1}}))).failure
    assert failure is not None
    assert failure.kind is FailureKind.SCORE
    assert "unknown objective 'cots'; did you mean 'cost'" in failure.message


def test_repeats_are_averaged() -> None:
    values = iter([1.0, 2.0, 6.0])
    outcome = evaluate(TrustedEvaluator(task(lambda p, c: next(values), repeats=3)))
    assert outcome.fitness == (-3.0,)
    assert outcome.evaluations == 3


def test_the_function_is_loaded_from_the_task_folder(tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text("OFFSET = 10\n")
    (tmp_path / "evaluate.py").write_text(
        "from helper import OFFSET\ndef evaluate(program, context): return len(program.source) + OFFSET\n"
    )
    described = task(None)
    evaluator = TrustedEvaluator(Task(described.spec, PROGRAM, folder=tmp_path))
    asyncio.run(evaluator.start())
    assert evaluate(evaluator).fitness == (-15.0,)


def test_a_file_that_cannot_be_imported_blames_the_task(tmp_path: Path) -> None:
    (tmp_path / "evaluate.py").write_text("import no_such_module_here\n")
    evaluator = TrustedEvaluator(Task(task(None).spec, PROGRAM, folder=tmp_path))
    with pytest.raises(ScoreError, match="no_such_module_here"):
        asyncio.run(evaluator.start())


def test_threads_run_at_most_slots_at_once() -> None:
    together = threading.Barrier(2, timeout=20)

    def meet(program: Program, context: Context) -> object:
        together.wait()  # passes only when two candidates are scored at the same time
        return 0.0

    async def two() -> list[Outcome]:
        evaluator = TrustedEvaluator(task(meet), threads=True, slots=2)
        return await asyncio.gather(*(evaluator.evaluate(PROGRAM, Context()) for _ in range(2)))

    assert all(outcome.valid for outcome in asyncio.run(two()))


class TestContract(EvaluatorContract):
    failures: ClassVar[Mapping[Behaviour, FailureKind]] = {
        "invalid": FailureKind.INVALID,
        "non_finite": FailureKind.NON_FINITE,
    }

    def make(self, folder: Path) -> Evaluator:
        def score(program: Program, context: Context) -> Result:
            return Result((float(program.source),))

        spec = TaskSpec(
            name="number",
            language="text",
            objectives=(ObjectiveSpec(name="x"),),
            evaluation=EvaluationSpec(kind="trusted"),
        )
        return TrustedEvaluator(Task(spec, PROGRAM, trusted=score), threads=True, slots=2)

    def valid(self, value: int) -> Program:
        return Program.of({"initial.txt": str(value)})

    def failing(self, behaviour: Behaviour) -> Program:
        return Program.of({"initial.txt": {"invalid": "many", "non_finite": "nan"}[behaviour]})
