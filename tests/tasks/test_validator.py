from __future__ import annotations

from speciate.records import Context, Program, Result
from speciate.tasks import has_validator, load_task, task_from_functions


def _lenient(program: Program, context: Context) -> Result:
    return Result((float(len(program.source)),))


def _strict(program: Program, context: Context) -> Result:
    if not program.source:
        raise ValueError("empty")
    return Result((1.0,))


def test_code_that_can_refuse_an_answer_is_a_validator() -> None:
    strict = task_from_functions(name="t", initial="x = 1\n", score=_strict)
    lenient = task_from_functions(name="t", initial="x = 1\n", score=_lenient)
    assert has_validator(strict)
    assert not has_validator(lenient)


def test_circle_packing_is_validated() -> None:
    assert has_validator(load_task("circle_packing"))
