"""Finds a task by the name of a problem or the path of a folder."""

from __future__ import annotations

import os
from collections.abc import Mapping
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

from speciate.errors import TaskError, nearest
from speciate.records import Json
from speciate.tasks.definition import Task
from speciate.tasks.formats import format_of

GROUP = "speciate.problems"
"""Entry points of this group are callables ``load(parameters: Mapping[str, Json]) -> Task``."""


def load_task(name_or_path: str | Path, parameters: Mapping[str, Json] | None = None) -> Task:
    """Loads a task.

    Args:
        name_or_path: a problem's name or a task folder. A `Path`, or a string with a path separator, is
            always a folder; of a bare name, an installed problem comes before a folder of that name.
        parameters: values for parameters the task declares; None for its own.

    Raises:
        TaskError: there is no such task, or it cannot be understood; the message says what to do.
    """
    given = parameters or {}
    if isinstance(name_or_path, Path) or os.sep in name_or_path:
        return load_folder(Path(name_or_path), given)
    found = _problems().get(name_or_path)
    if found is not None:
        return _load_problem(found, given)
    if name_or_path and Path(name_or_path).is_dir():
        return load_folder(Path(name_or_path), given)
    known = list_tasks()
    hint = f"{nearest(name_or_path, known)} (problems: {', '.join(known) or 'none'})"
    raise TaskError(f"there is no problem and no folder {name_or_path!r}{hint}")


def load_folder(folder: Path, parameters: Mapping[str, Json] | None = None) -> Task:
    """Loads a task folder of any known format.

    Raises:
        TaskError: the folder is missing, in no known format, or cannot be understood.
    """
    if not folder.exists():
        raise TaskError(f"there is no folder {folder}")
    if not folder.is_dir():
        raise TaskError(f"{folder} is a file; give the task's folder")
    return format_of(folder).load(folder, parameters or {})


def list_tasks() -> tuple[str, ...]:
    """Returns the names of all installed problems, sorted."""
    return tuple(sorted(_problems()))


def _problems() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=GROUP)}


def _load_problem(point: EntryPoint, parameters: Mapping[str, Json]) -> Task:
    try:
        load = point.load()
    except (ImportError, AttributeError) as error:
        raise TaskError(f"the problem {point.name!r} ({point.value}) cannot be imported: {error}") from error
    task = load(parameters)
    if not isinstance(task, Task):
        raise TaskError(f"{point.value} should return a Task, not {type(task).__name__}")
    return task
