from __future__ import annotations

import shutil
import time
from pathlib import Path

import pytest

from speciate.errors import TaskError
from speciate.evaluators import EvaluationConfig, Evaluator, build_evaluator
from speciate.evaluators.command import last_object
from speciate.records import FailureKind, Program
from speciate.tasks import Task
from speciate.testing.evaluators import Behaviour, EvaluatorContract, evaluate, write_task

PROGRAMS: dict[Behaviour, str] = {
    "exception": "echo broken >&2; exit 3",
    "invalid": """echo '{"x": 1, "valid": false}'""",
    "non_finite": """echo '{"x": NaN}'""",
    "hang": "while :; do :; done",
}


def program(text: str) -> Program:
    return Program.of({"initial.sh": text})


def task(folder: Path, *command: str) -> Task:
    return write_task(
        folder,
        {"initial.sh": "echo 1"},
        initial="initial.sh",
        language="shell",
        evaluation={"kind": "command", "command": command},
        limits={"cpu_seconds": 1.0, "wall_seconds": 5.0},
    )


def make(made: Task) -> Evaluator:
    return build_evaluator(made, EvaluationConfig(slots=2))


class TestContract(EvaluatorContract):
    failures = {kind: EvaluatorContract.failures[kind] for kind in PROGRAMS}  # noqa: RUF012  # a ClassVar above

    def make(self, folder: Path) -> Evaluator:
        return make(task(folder, "sh", "{program}"))

    def valid(self, value: int) -> Program:
        return program(f"""echo '{{"x": {value}}}'""")

    def failing(self, behaviour: Behaviour) -> Program:
        return program(PROGRAMS[behaviour])


def test_a_failed_command_shows_the_end_of_its_error_output(tmp_path: Path) -> None:
    (outcome,) = evaluate(make(task(tmp_path, "sh", "{program}")), program(PROGRAMS["exception"]))
    assert outcome.failure is not None
    assert "exit status 3" in outcome.failure.message
    assert "broken" in outcome.failure.feedback


def test_a_command_that_prints_no_object_is_malformed(tmp_path: Path) -> None:
    (outcome,) = evaluate(make(task(tmp_path, "sh", "{program}")), program("echo 12; echo '[1]'"))
    assert outcome.failure is not None
    assert outcome.failure.kind is FailureKind.MALFORMED


def test_a_command_must_be_given(tmp_path: Path) -> None:
    with pytest.raises(TaskError, match="command is empty"):
        make(task(tmp_path))


C = """
#include <stdio.h>
int main(void) { printf("{\\"x\\": %d}\\n", VALUE); return 0; }
"""


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
def test_a_c_program_is_compiled_checked_and_run_in_the_sandbox(tmp_path: Path) -> None:
    import asyncio

    made = write_task(
        tmp_path,
        {"initial.c": C},
        initial="initial.c",
        language="c",
        evaluation={"kind": "command", "command": ["sh", "-c", "gcc -O2 -o /tmp/a {program} && /tmp/a"]},
    )
    good, bad = (Program.of({"initial.c": C.replace("VALUE", v)}) for v in ("-12", "12 +"))
    from speciate.testing.evaluators import with_evaluator

    async def use(evaluator: Evaluator) -> tuple[str | None, str | None]:
        return await asyncio.gather(evaluator.syntax(good), evaluator.syntax(bad))

    passed, problem = with_evaluator(make(made), use)
    assert passed is None
    assert problem is not None
    assert "initial.c:3" in problem
    ran, failed = evaluate(make(made), good, bad)
    assert ran.fitness == (-12.0,)
    assert failed.failure is not None
    assert "error" in failed.failure.feedback


@pytest.mark.parametrize(
    ("printed", "found"),
    [
        ('{"x": 1}', {"x": 1}),
        ('log\n{"x": 1}\n{"x": 2}\nbye {"x": 3}\n', {"x": 2}),
        ('{\n  "x": {\n    "y": 1\n  }\n}\n', {"x": {"y": 1}}),
        ('{"x": 1}\n{"x": ', {"x": 1}),
        ("", None),
        ("[{}]", None),
        ('  {"x": 1} trailing', {"x": 1}),
    ],
)
def test_the_last_object_that_begins_a_line_is_the_result(printed: str, found: object) -> None:
    assert last_object(printed) == found


@pytest.mark.parametrize("printed", ["{\n" * 200_000, '{"a":' * 100_000, "[" * 10**6, "1" * 10**6])
def test_no_output_is_slow_to_search(printed: str) -> None:
    began = time.process_time()
    assert last_object(printed) is None
    assert time.process_time() - began < 20  # quadratic search would take minutes
