"""The native format: a folder with a task.toml."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

from pydantic import ValidationError

from speciate.errors import TaskError, nearest
from speciate.records import Context, Json, Program
from speciate.tasks.check import check_spec
from speciate.tasks.definition import Task, TaskSpec
from speciate.tasks.languages import language
from speciate.tasks.prompts import Prompt, task_prompt
from speciate.tasks.regions import program_segments
from speciate.tasks.validation import explain

TASK_FILE = "task.toml"
PROMPTS_FOLDER = "prompts"
GRAMMAR_FILE = "grammar.gbnf"


def recognises(folder: Path) -> bool:
    """Says whether a folder holds a native task."""
    return (folder / TASK_FILE).is_file()


def load(folder: Path, parameters: Mapping[str, Json]) -> Task:
    """Loads a native task.

    Args:
        folder: the task's folder.
        parameters: values for keys that task.toml declares under ``[parameters]``.

    Raises:
        TaskError: anything in the folder that speciate cannot work with; the message says what to do.
    """
    folder = folder.resolve()
    where = str(folder / TASK_FILE)
    spec = read_spec(folder / TASK_FILE)
    merged = merge_parameters(spec.parameters, parameters, where=where)
    try:
        spoken = language(spec.language)
    except TaskError as error:
        raise TaskError(f"{where}: {error}") from None
    spec = spec.model_copy(update={"language": spoken.name, "parameters": merged})
    check_spec(spec, where)
    for name in _named_files(spec):
        inside(folder, name)
    program = Program(tuple((name, read_text(inside(folder, name))) for name in spec.program.files))
    program_segments(program, spec)
    return Task(
        spec=spec,
        initial=program,
        folder=folder,
        context=Context(settings=merged),
        prompts=_prompts(folder / PROMPTS_FOLDER, merged),
        grammar=_grammar(folder / PROMPTS_FOLDER / GRAMMAR_FILE),
    )


def _prompts(folder: Path, parameters: Mapping[str, Json]) -> Mapping[str, Prompt]:
    """Reads the prompts that a task brings along; placeholders like ``{{parameters.size}}`` are filled in."""
    values = {f"parameters.{name}": str(value) for name, value in parameters.items()}
    return {
        file.stem: task_prompt(read_text(file), stem=file.stem, where=str(file), values=values)
        for file in sorted(folder.glob("*.md"))
    }


def _grammar(file: Path) -> str | None:
    return read_text(file) if file.exists() else None


def read_spec(path: Path) -> TaskSpec:
    """Reads and validates a task.toml.

    Raises:
        TaskError: it is not UTF-8, not TOML, or not a task; one sentence a problem.
    """
    try:
        values = tomllib.loads(read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise TaskError(f"{path} is not valid TOML: {error}") from None
    try:
        # Through JSON: strict there still takes an array for a tuple, and refuses "10" for a number.
        return TaskSpec.model_validate_json(json.dumps(values), strict=True)
    except ValidationError as error:
        raise TaskError(explain(error, TaskSpec, str(path))) from None
    except TypeError:
        raise TaskError(f"{path}: dates and times are no values of a task; write them as strings") from None


def merge_parameters(
    declared: Mapping[str, Json], given: Mapping[str, Json], *, where: str
) -> dict[str, Json]:
    """Returns the declared parameters with the given values in their place.

    Raises:
        TaskError: a given parameter is not declared, or has another type than the declared value.
    """
    for name, value in given.items():
        if name not in declared:
            known = ", ".join(sorted(declared)) or "none"
            raise TaskError(f"{where}: no parameter {name!r}{nearest(name, declared)} (declared: {known})")
        if _kind(value) != _kind(declared[name]) and (_kind(declared[name]), _kind(value)) != (
            "float",
            "int",
        ):
            wanted = f"{_kind(declared[name])} like {declared[name]!r}"
            raise TaskError(f"{where}: parameter {name!r} should be {wanted}, not {value!r}")
    return {
        name: _like(declared_value, given.get(name, declared_value))
        for name, declared_value in declared.items()
    }


def _kind(value: Json) -> str:
    return type(value).__name__


def _like(declared: Json, value: Json) -> Json:
    """Returns an integer given for a float as a float, so that equal settings have equal hashes."""
    return float(value) if isinstance(declared, float) and isinstance(value, int) else value


def read_text(path: Path) -> str:
    """Returns a file's text with its own line ends.

    Raises:
        TaskError: the file is missing, unreadable or not UTF-8.
    """
    try:
        return path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        raise TaskError(f"{path} does not exist") from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise TaskError(f"{path}, line {line}: not UTF-8 text; save the file as UTF-8") from None
    except OSError as error:
        raise TaskError(f"{path} cannot be read: {error.strerror}") from None


def inside(folder: Path, name: str) -> Path:
    """Returns the path of a task's file, which must exist and lie inside the folder.

    Raises:
        TaskError: the name is absolute, climbs out, leads out through a link, or is no file.
    """
    where = folder / TASK_FILE
    parts = PurePosixPath(name)
    if not name or parts.is_absolute() or ".." in parts.parts:
        raise TaskError(f"{where}: file names are relative to the task folder and stay in it, not {name!r}")
    path = folder / name
    if not path.is_file():
        there = (str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file())
        raise TaskError(f"{where} names {name!r}, which is no file in {folder}{nearest(name, there)}")
    if not path.resolve().is_relative_to(folder.resolve()):
        raise TaskError(
            f"{where}: {name!r} is a link that leads out of {folder}; copy the file into the folder"
        )
    return path


def _named_files(spec: TaskSpec) -> Iterator[str]:
    """Yields every file of the folder that a task names."""
    yield from spec.program.files
    yield from spec.sandbox.files
    if spec.evaluation.kind == "split":
        yield spec.evaluation.run
        yield spec.evaluation.score
    elif spec.evaluation.kind != "command":
        yield spec.evaluation.evaluate
