"""The folder of an ensemble: what it is, and where its nodes are."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from pydantic import ValidationError

from speciate.engine import RunConfig
from speciate.errors import RunFolderError
from speciate.files import write_whole
from speciate.records import Json
from speciate.store import DATABASE
from speciate.tasks import explain
from speciate.version import __version__

MANIFEST = "ensemble.json"
NODES = "nodes"


def read_ensemble(folder: Path) -> tuple[str | None, RunConfig]:
    """Returns an ensemble's task by name or folder (None: built in Python), and the settings of all nodes.

    Raises:
        RunFolderError: the folder holds no ensemble that this version understands.
    """
    path = folder / MANIFEST
    manifest = read_table(path, f"{folder} holds no ensemble")
    if not manifest.keys() >= {"task", "config"}:
        raise RunFolderError(f"{path} is not what an ensemble writes: it needs 'task' and 'config'")
    source = manifest["task"]
    try:
        return None if source is None else str(source), RunConfig.model_validate(manifest["config"])
    except ValidationError as error:
        raise RunFolderError(explain(error, RunConfig, str(path))) from error


def read_table(path: Path, missing: str) -> Mapping[str, Json]:
    """Returns a file that holds one JSON object.

    Args:
        path: the file.
        missing: what it means that there is none.

    Raises:
        RunFolderError: there is none, it cannot be read, or it holds something else.
    """
    try:
        table: Json = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise RunFolderError(f"{missing}: {path.name} is missing") from None
    except OSError as error:
        raise RunFolderError(f"{path} cannot be read: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise RunFolderError(f"{path} cannot be read: it is not JSON ({error})") from error
    if not isinstance(table, dict):
        raise RunFolderError(f"{path} cannot be read: it holds no JSON object")
    return table


def is_ensemble(folder: Path) -> bool:
    """Whether a folder holds an ensemble."""
    return (folder / MANIFEST).is_file()


def ensemble_of(folder: Path) -> Path | None:
    """Returns the folder of the ensemble in which a run is a node, or None."""
    place = folder.resolve()
    whole = place.parent.parent
    return whole if place.parent.name == NODES and is_ensemble(whole) else None


def node_folder(folder: Path, name: str) -> Path:
    """Returns where a node of an ensemble is kept."""
    return folder / NODES / name


def located(source: str) -> str:
    """Returns a task's name, or its folder as an absolute path: wherever it is read, it means the same."""
    return str(Path(source).resolve()) if Path(source).is_dir() else source


def begin_folder(folder: Path, task: str | None, config: RunConfig) -> None:
    """Makes the folder of a new ensemble and writes down what it is.

    Args:
        folder: where it is kept.
        task: the task's name or folder, or None for one built in Python.
        config: settings of all nodes.

    Raises:
        RunFolderError: there is a run or an ensemble already, or it cannot be written.
    """
    if is_ensemble(folder) or (folder / DATABASE).exists():
        raise RunFolderError(
            f"{folder} holds a run or an ensemble already: go on with it by `speciate resume {folder}`, or "
            "choose another folder"
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        source = None if task is None else located(task)
        manifest = {"speciate": __version__, "task": source, "config": config.model_dump(mode="json")}
        write_whole(folder / MANIFEST, json.dumps(manifest, indent=1, sort_keys=True) + "\n")
    except OSError as error:
        raise RunFolderError(f"{folder} cannot be written: {error.strerror or error}") from error
