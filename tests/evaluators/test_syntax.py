from __future__ import annotations

import pytest

from speciate.evaluators.syntax import python_problem
from speciate.records import Program
from speciate.tasks import Task, TaskSpec


def task(**spec: object) -> Task:
    described = {"name": "t", "objectives": [{"name": "x"}], **spec}
    return Task(TaskSpec.model_validate(described), Program.of({"initial.py": ""}))


def problem(text: str, **spec: object) -> str | None:
    return python_problem(Program.of({"initial.py": text, "notes.txt": "not ) python"}), task(**spec))


def test_a_syntax_error_names_file_and_line() -> None:
    found = problem("x = 1\ny = (\n")
    assert found is not None
    assert found.startswith("initial.py: line 2")


def test_good_python_passes_whatever_the_other_files_say() -> None:
    assert problem("x = 1\n") is None


@pytest.mark.parametrize("text", ["import os", "def f():\n    from os.path import join", "__import__('os')"])
def test_an_import_that_is_not_allowed_is_named(text: str) -> None:
    found = problem(text, imports_allowed=["numpy", "math"])
    assert found == "initial.py: imports os, which is not allowed here (allowed: numpy, math)"


def test_allowed_imports_and_files_of_the_program_itself_pass() -> None:
    both = Program.of({"initial.py": "import numpy.linalg, helper", "helper.py": "import math"})
    assert python_problem(both, task(imports_allowed=["numpy", "math"])) is None


def test_without_a_list_every_import_passes() -> None:
    assert problem("import os") is None


def test_other_languages_are_not_parsed_as_python() -> None:
    assert problem("int main(void) { return 0; }", language="c") is None
