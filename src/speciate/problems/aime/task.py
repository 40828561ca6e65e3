"""Loads the problem with its parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from speciate.errors import TaskError, nearest
from speciate.problems.aime.datasets import PREFIX, fetched
from speciate.problems.aime.problems import chosen, source
from speciate.records import Context, Json, Program, text_hash
from speciate.tasks import Task, load_folder

FOLDER = Path(__file__).parent

AGENTS: Mapping[str, str] = {
    "base": "initial.py",
    "majority": "agents/majority.py",
    "review": "agents/review.py",
}
"""Agents that ship with the problem, by name, with their files."""


def load(parameters: Mapping[str, Json] | None = None) -> Task:
    """Returns the task. Called through the entry point ``aime``.

    Args:
        parameters: replace those of task.toml, which describes them.

    Raises:
        TaskError: a parameter is unknown or has a value that makes no sense, or the problems cannot be read.
        MissingExtraError: the problems are a data set, and the package that fetches it is not installed.
    """
    task = load_folder(FOLDER, parameters)
    settings = {**task.spec.parameters, "problems": _file(str(task.spec.parameters["problems"]))}
    repeats = settings["repeats"]
    if not isinstance(repeats, int) or repeats < 1:
        raise TaskError(f"parameters.repeats is {repeats!r}; expected at least 1")
    chosen(settings)  # what is wrong with the problems is told now
    evaluation = task.spec.evaluation.model_copy(update={"repeats": repeats})
    notes = {**task.spec.notes, "all": f"At most {settings['calls']} calls of query a problem."}
    return replace(
        task,
        spec=task.spec.model_copy(update={"evaluation": evaluation, "notes": notes}),
        initial=Program.of({task.initial.entry: agent_source(str(settings["agent"]))}),
        context=Context(settings=settings),
        scored_by={"problems": text_hash(source(settings).read_text(encoding="utf-8"))},
    )


def agent_source(name: str) -> str:
    """Returns the text of an agent that ships with the problem.

    Raises:
        TaskError: there is none of this name.
    """
    if name not in AGENTS:
        known = ", ".join(AGENTS)
        raise TaskError(f"there is no agent {name!r}{nearest(name, AGENTS)}; known are {known}")
    return (FOLDER / AGENTS[name]).read_text(encoding="utf-8")


def _file(named: str) -> str:
    """Returns the file behind the parameter ``problems``, wherever this process stands."""
    if named.startswith(PREFIX):
        return str(fetched(named))
    return str(Path(named).expanduser().absolute()) if named else ""
