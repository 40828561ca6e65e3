"""Syntax checks before an evaluation is paid for."""

from __future__ import annotations

import shutil
from pathlib import PurePath

from speciate.evaluators.bounds import FEEDBACK_BYTES, text
from speciate.evaluators.runner import CandidateRunner
from speciate.records import Program
from speciate.tasks import Task, file_language, forbidden_imports, python_syntax


def source_problem(program: Program, task: Task) -> str | None:
    """Returns what the task's own check, or Python's parser, says against a program, or None."""
    own = task.syntax(program) if task.syntax is not None else None
    return own or python_problem(program, task)


def python_problem(program: Program, task: Task) -> str | None:
    """Returns what is wrong with the Python files of a program, or None.

    Checked are syntax and, where the task names `imports_allowed`, imports. Files of other languages pass.
    """
    files = [(n, source) for n, source in program.files if file_language(n, task.spec).name == "python"]
    for name, source in files:
        problem = python_syntax(source)
        if problem is not None:
            return f"{name}: {problem}"
    allowed = task.spec.imports_allowed
    if allowed is None:
        return None
    local = {PurePath(name).parts[0].removesuffix(".py") for name, _ in program.files}
    for name, source in files:
        forbidden = forbidden_imports(source, allowed, local=local)
        if forbidden:
            may = ", ".join(allowed) or "nothing"
            return f"{name}: imports {', '.join(forbidden)}, which is not allowed here (allowed: {may})"
    return None


async def compiler_problem(program: Program, task: Task, pool: CandidateRunner) -> str | None:
    """Returns what a compiler says against the entry file, or None when it, or no compiler, objects.

    The compiler runs in the sandbox. One that hits a limit has found nothing: the evaluation will tell.
    """
    command = file_language(program.entry, task.spec).check_command
    if not command or shutil.which(command[0]) is None:
        return None
    report = await pool.command(program, command)
    if report.failure is not None or report.exit_code == 0:
        return None
    said = report.stderr or f"{command[0]} ended with exit status {report.exit_code}"
    return text(said, FEEDBACK_BYTES, "compiler output")
