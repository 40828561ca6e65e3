from __future__ import annotations

from pathlib import Path

import pytest

from speciate.evaluators import EvaluationConfig, Evaluator, build_evaluator
from speciate.records import FailureKind, Program
from speciate.tasks import Task
from speciate.testing.evaluators import Behaviour, EvaluatorContract, evaluate, write_task

EVALUATE = """
    import importlib.util

    def evaluate(path):
        spec = importlib.util.spec_from_file_location("candidate", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module.answer()
    """
PROGRAMS: dict[Behaviour, str] = {
    "syntax": "def answer(: return 1",
    "exception": "def answer(): return 1 / 0",
    "invalid": "def answer(): return {'x': 1, 'correct': False, 'text_feedback': 'overlap'}",
    "non_finite": "def answer(): return float('inf')",
    "hang": "def answer():\n    while True: pass",
    "exit": "import os\ndef answer(): os._exit(0)",
}


def program(text: str) -> Program:
    return Program.of({"initial.py": text})


def task(folder: Path, **spec: object) -> Task:
    evaluation = {"kind": "plain", **dict(spec.pop("evaluation", {}))}  # type: ignore[call-overload]  # a dict
    return write_task(
        folder,
        {"initial.py": "def answer(): return 1", "evaluate.py": EVALUATE},
        initial="initial.py",
        evaluation=evaluation,
        limits={"cpu_seconds": 1.0, "wall_seconds": 5.0},
        **spec,
    )


def make(made: Task) -> Evaluator:
    return build_evaluator(made, EvaluationConfig(slots=2))


class TestContract(EvaluatorContract):
    def make(self, folder: Path) -> Evaluator:
        return make(task(folder))

    def valid(self, value: int) -> Program:
        return program(f"def answer(): return {value}")

    def failing(self, behaviour: Behaviour) -> Program:
        return program(PROGRAMS[behaviour])


def test_a_flat_dict_gives_objectives_metrics_and_feedback(tmp_path: Path) -> None:
    answer = {"combined_score": 2, "cost": -1, "steps": 9, "private": {"k": 1}, "text_feedback": "slow"}
    objectives = [{"name": "x"}, {"name": "cost", "direction": "minimize"}]
    (outcome,) = evaluate(
        make(task(tmp_path, objectives=objectives)), program(f"def answer(): return {answer!r}")
    )
    assert outcome.result is not None
    assert outcome.result.objectives == (2.0, 1.0)
    assert (outcome.result.public, outcome.result.private) == ({"steps": 9}, {"k": 1})
    assert outcome.result.feedback == "slow"


@pytest.mark.parametrize("answer", ["None", "'high'", "{'y': 1}", "[1]", "{'x': 1, 'valid': 'yes'}"])
def test_an_answer_of_the_wrong_shape_is_malformed(tmp_path: Path, answer: str) -> None:
    (outcome,) = evaluate(make(task(tmp_path)), program(f"def answer(): return {answer}"))
    assert outcome.failure is not None
    assert outcome.failure.kind is FailureKind.MALFORMED


def test_repeats_are_averaged(tmp_path: Path) -> None:
    (outcome,) = evaluate(make(task(tmp_path, evaluation={"repeats": 2})), program("def answer(): return 4"))
    assert (outcome.fitness, outcome.evaluations) == ((4.0,), 2)
