"""Loads the problem with its parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import get_args

from speciate.errors import TaskError, nearest
from speciate.problems.circle_packing.layouts import Shape, description, initial_program
from speciate.problems.circle_packing.verify import SLACK, Verifier
from speciate.records import Json, Program
from speciate.tasks import Task, load_folder

FOLDER = Path(__file__).parent

FEWEST, MOST = 3, 500
"""Bounds on the number of circles: two rings and a middle, and what a second of exact checking allows."""


def load(parameters: Mapping[str, Json] | None = None) -> Task:
    """Returns the task. Called through the entry point ``circle_packing``.

    Args:
        parameters: replace those of task.toml: ``n``, ``shape`` and ``verifier``.

    Raises:
        TaskError: a parameter is unknown or has a value that makes no sense.
    """
    task = load_folder(FOLDER, parameters)
    settings = task.spec.parameters
    n = settings["n"]
    if not isinstance(n, int) or not FEWEST <= n <= MOST:
        raise TaskError(f"parameters.n is {n!r}; expected a number of circles from {FEWEST} to {MOST}")
    verifier = _one_of("verifier", settings["verifier"], get_args(Verifier))
    shape: Shape = (
        "rectangle" if _one_of("shape", settings["shape"], get_args(Shape)) == "rectangle" else "square"
    )
    told = description(n, shape, slack=SLACK if verifier == "relaxed" else None)
    return replace(
        task,
        spec=task.spec.model_copy(update={"description": told}),
        initial=Program.of({task.initial.entry: initial_program(n, shape)}),
    )


def _one_of(name: str, value: Json, known: tuple[str, ...]) -> str:
    """Returns `value` if it is one of `known`; raises TaskError if not."""
    if not isinstance(value, str) or value not in known:
        raise TaskError(
            f"parameters.{name} is {value!r}; expected one of {', '.join(known)}{nearest(str(value), known)}"
        )
    return value
