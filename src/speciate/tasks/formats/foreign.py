"""What the formats of other systems share: finding a folder's program and files, making a task of them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

from pydantic import ValidationError

from speciate.errors import TaskError
from speciate.records import Context, Json, Program
from speciate.tasks.check import check_spec
from speciate.tasks.definition import ForeignKind, Task, TaskSpec
from speciate.tasks.formats.native import merge_parameters, read_text
from speciate.tasks.languages import language, language_of
from speciate.tasks.python_source import imports
from speciate.tasks.regions import markers, program_segments
from speciate.tasks.validation import explain

SECONDS = 300.0
"""CPU seconds of an evaluation where a folder names no time limit; OpenEvolve's own default."""

_WARM = ("numpy", "scipy")
"""Libraries that take long to import and leave no thread behind, so that a fork server may import them."""

_OUTPUTS = ("results", "runs", "openevolve_output", "checkpoints", "logs", "venv", "env", "node_modules")
_STORES = ("*.sqlite", "*.db")
"""What lies at the top of the folder of a search, speciate's own included."""

_NAMED_ONLY = (".sqlite", ".db", ".log", ".pkl", ".ipynb", ".pyc", ".yaml", ".yml", ".md")
"""Suffixes of files that score code reads only if it names them."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a folder's own settings say, in our words.

    Attributes:
        description: the task message.
        seconds: time limit of one evaluation, or None.
        language: language of the program, or None to go by its suffix.
        success: score at which a run may stop, or None.
        thresholds: between the stages of a cascade.
        features: metrics that are no part of a mean score.
        arguments: keyword arguments of the score code's function.
        defaults: settings of a run, nested.
        remarks: what was taken over and what was not, one sentence each.
    """

    description: str = ""
    seconds: float | None = None
    language: str | None = None
    success: float | None = None
    thresholds: tuple[float, ...] = ()
    features: tuple[str, ...] = ()
    arguments: Mapping[str, Json] = field(default_factory=dict)
    defaults: Mapping[str, Json] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Found:
    """The files of a folder.

    Attributes:
        kind: whose contract its score code keeps to.
        folder: the folder, resolved.
        script: name of the score code's file.
        program: name of the initial program.
    """

    kind: ForeignKind
    folder: Path
    script: str
    program: str


def initial_programs(folder: Path, stem: str) -> list[str]:
    """Returns the names of the files of this stem whose suffix belongs to a language, sorted."""
    found = (path for path in folder.glob(f"{stem}.*") if path.is_file())
    return sorted(path.name for path in found if language_of(path.name) is not None)


def chosen_program(names: Sequence[str], where: Path, asked: Json) -> str:
    """Returns the initial program of a folder.

    Args:
        names: those there are, at least one.
        where: the folder, for messages.
        asked: what the user names, or an empty string or None.

    Raises:
        TaskError: there are several and the user names none of them.
    """
    if not asked and len(names) == 1:
        return names[0]
    if asked in names:
        return str(asked)
    listed = ", ".join(names)
    said = f"there is no {asked!r} among them" if asked else "say which"
    raise TaskError(
        f"{where} has the initial programs {listed}; {said}: --set task.parameters.program={names[0]}"
    )


def make_task(found: Found, wishes: Wishes, given: Mapping[str, Json]) -> Task:
    """Returns the task of a folder of another system.

    Args:
        found: its files.
        wishes: its settings.
        given: values for parameters; see `_declared`.

    Raises:
        TaskError: a parameter is unknown or does not fit, or the program cannot be read.
    """
    text = read_text(found.folder / found.program)
    parameters = merge_parameters(_declared(found, wishes), given, where=str(found.folder))
    spec = _spec(found, wishes, parameters, text)
    check_spec(spec, str(found.folder))
    program = Program(((found.program, text),))
    program_segments(program, spec)
    whole = spec.program.mutable == "whole"
    remarks = ["without EVOLVE-BLOCK markers all of the program may change"] if whole else []
    return Task(
        spec=_with_files(spec, found),
        initial=program,
        folder=found.folder,
        context=Context(settings=parameters),
        format=found.kind,
        remarks=(*wishes.remarks, *remarks),
    )


def _declared(found: Found, wishes: Wishes) -> dict[str, Json]:
    """Returns the parameters that a user may set, with what holds if nobody does.

    A process that keeps a core busy reaches the CPU limit at the time limit the folder names. Wall time is
    twice that, so that a busy machine changes no outcome.
    """
    seconds = wishes.seconds or SECONDS
    declared: dict[str, Json] = {
        "program": found.program,
        "cpu_seconds": seconds,
        "wall_seconds": 2 * seconds,
        "memory_mb": 4096,
        "processes": 64,
        "output_mb": 16.0,
        "repeats": 1,
        "stochastic": False,
    }
    if found.kind == "openevolve":
        declared |= {
            "stopped": "scores",
            "feature_dimensions": list(wishes.features),
            "evaluator_args": dict(wishes.arguments),
        }
    return declared


def _spec(found: Found, wishes: Wishes, parameters: Mapping[str, Json], text: str) -> TaskSpec:
    limits = ("cpu_seconds", "wall_seconds", "memory_mb", "processes", "output_mb")
    spoken = wishes.language or _language(found.program)
    script = read_text(found.folder / found.script)
    values: dict[str, object] = {
        "name": found.folder.name,
        "description": wishes.description,
        "language": language(spoken).name,
        "objectives": [{"name": "combined_score"}],
        "program": {"files": [found.program], "mutable": _mutable(text, spoken)},
        "evaluation": {
            "kind": found.kind,
            "evaluate": found.script,
            "repeats": parameters["repeats"],
            "stochastic": parameters["stochastic"],
            "thresholds": wishes.thresholds,
            "stopped": parameters.get("stopped", "fails"),
            "warm": _warm(script, text),
        },
        "limits": {name: parameters[name] for name in limits},
        "success": wishes.success,
        "parameters": parameters,
        "defaults": wishes.defaults,
    }
    try:
        return TaskSpec.model_validate(values)
    except ValidationError as error:
        raise TaskError(explain(error, TaskSpec, str(found.folder))) from None


def _language(name: str) -> str:
    spoken = language_of(name)
    assert spoken is not None, "only files of known suffixes are found"
    return spoken.name


def _mutable(text: str, spoken: str) -> str:
    return "regions" if any(True for _ in markers(text, language(spoken))) else "whole"


def _warm(*sources: str) -> list[str]:
    """Returns the libraries that are worth importing before any candidate, as far as they are installed."""
    wanted = frozenset().union(*(imports(source) for source in sources))
    return [name for name in _WARM if name in wanted and find_spec(name) is not None]


def _with_files(spec: TaskSpec, found: Found) -> TaskSpec:
    """Returns the task with all files of its folder that an evaluation may need in the sandbox.

    The initial program is among them: score code may compare with it.
    """
    files = [name for name in visible(found.folder) if name != found.script]
    return spec.model_copy(update={"sandbox": spec.sandbox.model_copy(update={"files": tuple(files)})})


def visible(folder: Path) -> list[str]:
    """Returns the files and folders of a task folder that are bound into the sandbox, sorted.

    Left out are hidden ones, what searches wrote there (it holds other candidates), links that lead out;
    and, unless the score code names them, settings (they may hold keys) and texts for people.
    """
    inside = os.path.realpath(folder)
    modules = (path for path in sorted(folder.glob("*.py")) if path.is_file() and not _starts_search(path))
    code = "\n".join(path.read_text(encoding="utf-8", errors="replace") for path in modules)
    return sorted(
        path.name
        for path in folder.iterdir()
        if not _left_out(path, code) and os.path.realpath(path).startswith(f"{inside}{os.sep}")
    )


def _starts_search(path: Path) -> bool:
    """Says whether a file is ShinkaEvolve's start of a search, by its name."""
    return path.name.startswith("run_evo")


def _left_out(path: Path, code: str) -> bool:
    name = path.name
    if name.startswith((".", "__")) or not path.exists():
        return True
    if path.is_dir():
        searched = any(file.name not in code for store in _STORES for file in path.glob(store))
        return searched or (name.startswith(_OUTPUTS) and name not in code)
    return (path.suffix in _NAMED_ONLY or _starts_search(path)) and name not in code
