from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from speciate.evaluators import EvaluationConfig, Evaluator, ForeignEvaluator, build_evaluator
from speciate.records import FailureKind, Program
from speciate.testing.evaluators import Behaviour, EvaluatorContract
from speciate.testing.foreign import SHORT, fates, foreign_task

PROGRAMS: dict[Behaviour, str] = {
    "syntax": "def answer(: return 1",
    "exception": "def answer(): return 1 / 0",
    "invalid": "def answer(): return -999",
    "non_finite": "def answer(): return float('inf')",
    "hang": "def answer():\n    while True: pass",
    "exit": "import os\ndef answer(): os._exit(0)",
}

SCRIPT = """
import argparse
from shinka.core import run_shinka_eval

parser = argparse.ArgumentParser()
parser.add_argument("--program_path")
parser.add_argument("--results_dir")
given = parser.parse_args()
run_shinka_eval(
    given.program_path,
    given.results_dir,
    "answer",
    1,
    get_experiment_kwargs=lambda run: {},
    validate_fn=lambda result: (result != -999, "not that"),
    aggregate_metrics_fn=lambda results: {"combined_score": results[0]},
)
"""

EVALUATOR = """
import importlib.util

def evaluate(program_path):
    spec = importlib.util.spec_from_file_location("program", program_path)
    program = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(program)
    value = program.answer()
    return {"combined_score": value, **({"error": "not that"} if value == -999 else {})}
"""

FORGING = """
import importlib.util

def evaluate(program_path):
    spec = importlib.util.spec_from_file_location("program", program_path)
    program = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(program)
    return {"combined_score": 1.0}
"""

FORGER = """
from openevolve import adapter

def _answer(*_):
    return {answer}

adapter._answer = _answer
"""


class Foreign(EvaluatorContract):
    """A task whose evaluate file asks a candidate's function `answer`."""

    files: ClassVar[dict[str, str]]
    entry: ClassVar[str]

    def make(self, folder: Path) -> Evaluator:
        files = {**self.files, self.entry: "def answer(): return 1"}
        return build_evaluator(
            foreign_task(folder, files, {**SHORT, "processes": 16}), EvaluationConfig(slots=2)
        )

    def valid(self, value: int) -> Program:
        return Program.of({self.entry: f"def answer(): return {value}"})

    def failing(self, behaviour: Behaviour) -> Program:
        return Program.of({self.entry: PROGRAMS[behaviour]})


class TestShinka(Foreign):
    files: ClassVar[dict[str, str]] = {"evaluate.py": SCRIPT}
    entry = "initial.py"


class TestOpenEvolve(Foreign):
    files: ClassVar[dict[str, str]] = {"evaluator.py": EVALUATOR}
    entry = "initial_program.py"


def test_an_answer_that_a_candidate_forged_is_checked_like_any_other(tmp_path: Path) -> None:
    """Forging is possible here and said so; what it may not do is end the run or claim what others see."""
    answers = (
        "[1]",
        "{'failure': 'cpu_limit', 'message': ''}",
        "{'failure': 7}",
        "{'failure': 'invalid', 'message': 7}",
        "{'score': 1.0, 'public': [1]}",
        "{'score': 1.0, 'private': 3}",
        "{'score': True}",
        "{'score': 1.0, 'artifacts': {'a': 1}}",
        "{}",
        "object()",
    )
    task = foreign_task(tmp_path, {"evaluator.py": FORGING, "initial_program.py": "x = 1\n"})
    outcomes = fates(task, *(FORGER.format(answer=answer) for answer in answers))
    assert {outcome.failure and outcome.failure.kind for outcome in outcomes} == {FailureKind.MALFORMED}


def test_the_kind_decides_who_evaluates(tmp_path: Path) -> None:
    task = foreign_task(tmp_path, {"evaluator.py": EVALUATOR, "initial_program.py": "x = 1\n"})
    assert isinstance(build_evaluator(task, EvaluationConfig()), ForeignEvaluator)
