"""Small task folders of other systems, and how their candidates fare."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from textwrap import dedent

from speciate.evaluators import EvaluationConfig, build_evaluator
from speciate.records import Failure, Json, Outcome, Program, Result
from speciate.tasks import Task, load_folder
from speciate.testing.evaluators import evaluate

SHORT: dict[str, Json] = {"cpu_seconds": 0.5, "wall_seconds": 30.0, "memory_mb": 256}
"""Limits short enough for tests that reach them; the wall time is there for slow machines."""


def foreign_task(
    folder: Path, files: Mapping[str, str], parameters: Mapping[str, Json] | None = None
) -> Task:
    """Returns the task of a folder that is written first.

    Args:
        folder: where to; made.
        files: text by name, dedented.
        parameters: values for its parameters; None for short limits.
    """
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text))
    return load_folder(folder, SHORT if parameters is None else parameters)


def fates(task: Task, *sources: str) -> list[Outcome]:
    """Returns the outcomes of programs, one after another in the same sandbox."""
    programs = [Program.of({task.initial.entry: dedent(source)}) for source in sources]
    return evaluate(build_evaluator(task, EvaluationConfig(slots=1)), *programs, context=task.context)


def judged(task: Task, source: str | None = None) -> Outcome:
    """Returns the outcome of a program in the sandbox; None takes the task's initial one."""
    (outcome,) = fates(task, task.initial.source if source is None else source)
    return outcome


def scored(task: Task, source: str | None = None) -> Result:
    """Returns the result of a program, which has to have one."""
    outcome = judged(task, source)
    assert outcome.result is not None, outcome.failure
    return outcome.result


def failed(task: Task, source: str | None = None) -> Failure:
    """Returns the failure of a program, which has to have one."""
    outcome = judged(task, source)
    assert outcome.failure is not None, outcome.result
    return outcome.failure
