"""speciate: evolve programs with a population of different minds.

    >>> from speciate import evolve, RunConfig
    >>> evolution = evolve("circle_packing", RunConfig())

The names below load on first use, so that ``import speciate`` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from speciate.version import __version__

if TYPE_CHECKING:
    from speciate.engine import Evolution, Observer, RunConfig
    from speciate.ensembles import evolve, resume
    from speciate.errors import SpeciateError
    from speciate.records import Context, Outcome, Program, Result
    from speciate.store import RunHistory, open_reader
    from speciate.tasks import Task, load_task, task_from_functions

_HOMES = {
    "Context": "records",
    "Evolution": "engine",
    "Observer": "engine",
    "Outcome": "records",
    "Program": "records",
    "Result": "records",
    "RunConfig": "engine",
    "RunHistory": "store",
    "SpeciateError": "errors",
    "Task": "tasks",
    "evolve": "ensembles",
    "load_task": "tasks",
    "open_reader": "store",
    "resume": "ensembles",
    "task_from_functions": "tasks",
}

__all__ = [
    "Context",
    "Evolution",
    "Observer",
    "Outcome",
    "Program",
    "Result",
    "RunConfig",
    "RunHistory",
    "SpeciateError",
    "Task",
    "__version__",
    "evolve",
    "load_task",
    "open_reader",
    "resume",
    "task_from_functions",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'speciate' has no attribute {name!r}")
    return getattr(import_module(f"speciate.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
