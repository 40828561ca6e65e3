"""Folders of OpenEvolve: evaluator.py, initial_program.*, and often a config.yaml."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from speciate.errors import TaskError
from speciate.records import Json
from speciate.tasks.definition import Task
from speciate.tasks.formats import foreign, openevolve_config, shinka
from speciate.tasks.formats.foreign import Found
from speciate.tasks.formats.native import read_text
from speciate.tasks.python_source import compiled, python_syntax

SCRIPT = "evaluator.py"
STEMS = ("initial_program", "initial", "program")


def recognises(folder: Path) -> bool:
    """Says whether a folder holds a task of OpenEvolve."""
    return (folder / SCRIPT).is_file() and bool(_programs(folder))


def load(folder: Path, parameters: Mapping[str, Json]) -> Task:
    """Loads a task of OpenEvolve as it is.

    Raises:
        TaskError: evaluator.py has no ``evaluate``, or anything in the folder cannot be read.
    """
    folder = folder.resolve()
    program = foreign.chosen_program(_programs(folder), folder, parameters.get("program"))
    names = _names(folder / SCRIPT)
    if "evaluate" not in names:
        raise TaskError(f"{folder / SCRIPT} defines no evaluate(program_path)")
    wishes = openevolve_config.read(folder, staged="evaluate_stage1" in names)
    if shinka.recognises(folder):
        said = f"{shinka.SCRIPT} is not used; a task.toml with evaluation.kind = 'shinka' would use it"
        wishes = replace(wishes, remarks=(*wishes.remarks, said))
    return foreign.make_task(Found("openevolve", folder, SCRIPT, program), wishes, parameters)


def _programs(folder: Path) -> list[str]:
    """Returns the initial programs of the first stem that has any."""
    found = (foreign.initial_programs(folder, stem) for stem in STEMS)
    return next((names for names in found if names), [])


def _names(script: Path) -> frozenset[str]:
    """Returns the names that a module binds or uses at its top level: functions, imports, constants.

    Raises:
        TaskError: it is not Python.
    """
    text = read_text(script)
    problem = python_syntax(text)
    if problem is not None:
        raise TaskError(f"{script}: {problem}")
    return frozenset(compiled(text).co_names)
