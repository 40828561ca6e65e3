"""Loads the problem with its parameters."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import get_args

from speciate.errors import TaskError, nearest
from speciate.problems.circle_packing.layouts import Shape, initial_program
from speciate.problems.circle_packing.verify import Verifier
from speciate.records import Context, Json, Program
from speciate.tasks import Task, TaskSpec

FOLDER = Path(__file__).parent

MOST_CIRCLES = 500


def load(parameters: Mapping[str, Json] | None = None) -> Task:
    """Returns the task. Called through the entry point ``circle_packing``.

    Args:
        parameters: replace those of task.toml: ``n``, ``shape`` and ``verifier``.

    Raises:
        TaskError: a parameter is unknown or has a value that makes no sense.
    """
    spec = TaskSpec.model_validate(tomllib.loads((FOLDER / "task.toml").read_text("utf-8")))
    merged = _merged(spec.parameters, parameters or {})
    n, shape = _circles(merged["n"]), merged["shape"]
    if shape not in get_args(Shape):
        raise TaskError(f"parameters.shape is {shape!r}; expected one of {', '.join(get_args(Shape))}")
    if merged["verifier"] not in get_args(Verifier):
        raise TaskError(
            f"parameters.verifier is {merged['verifier']!r}; expected one of {', '.join(get_args(Verifier))}"
        )
    text = initial_program(n, "rectangle" if shape == "rectangle" else "square")
    return Task(
        spec=spec.model_copy(update={"parameters": merged}),
        initial=Program.of({spec.program.files[0]: text}),
        folder=FOLDER,
        context=Context(settings=merged),
    )


def _merged(known: Mapping[str, Json], given: Mapping[str, Json]) -> dict[str, Json]:
    """Returns `known` with the values of `given`; raises TaskError for a name that is not known."""
    for name in given:
        if name not in known:
            raise TaskError(f"circle_packing has no parameter {name!r}{nearest(name, known)}")
    return {**known, **given}


def _circles(n: Json) -> int:
    """Returns `n` if it is a sensible number of circles; raises TaskError if not."""
    if isinstance(n, bool) or not isinstance(n, int) or not 3 <= n <= MOST_CIRCLES:
        raise TaskError(f"parameters.n is {n!r}; expected a whole number of circles from 3 to {MOST_CIRCLES}")
    return n
