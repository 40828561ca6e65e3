from __future__ import annotations

from pathlib import Path

import pytest

from speciate.records import Context, Program, Result
from speciate.tasks import has_validator, load_task, task_from_functions
from speciate.testing.foreign import foreign_task


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


@pytest.mark.parametrize(
    ("script", "text", "refuses"),
    [
        ("evaluate.py", "run_shinka_eval(results_dir=d, validate_fn=judge)", True),
        ("evaluate.py", "run_shinka_eval(results_dir=d)  # all is correct", False),
        ("evaluate.py", "open(results_dir + '/correct.json')", True),
        ("evaluator.py", "def evaluate(p):\n    return {'combined_score': 0.0, 'error': 'no'}", True),
        ("evaluator.py", "def evaluate(p):\n    return {'combined_score': 0.0, 'valid': 0.0}", False),
    ],
)
def test_score_code_of_other_systems_refuses_in_its_own_ways(
    tmp_path: Path, script: str, text: str, refuses: bool
) -> None:
    assert has_validator(foreign_task(tmp_path, {script: text, "initial.py": "x = 1\n"})) == refuses
