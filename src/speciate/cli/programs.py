"""Writes programs of a run to files."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path, PurePath

from speciate.errors import RunFolderError
from speciate.records import Program
from speciate.store import RunHistory

BEST = "best"
"""Folder within a run's folder that holds the best program."""

CHAMPIONS = "champions"
"""Folder within a run's folder that holds the champions of its rounds."""


def write_program(program: Program, folder: Path) -> Path:
    """Writes a program's files; a reader sees each one old or new, never half.

    Returns:
        The entry file, which is written last: whoever sees the new one sees all others new.

    Raises:
        RunFolderError: the folder cannot be written.
    """
    try:
        for name, text in reversed(program.files):
            _replace(folder / name, text)
    except OSError as error:
        raise RunFolderError(f"{folder} cannot be written: {error.strerror}") from error
    return folder / program.entry


def write_best(history: RunHistory, folder: Path) -> Path | None:
    """Writes the best program of a run below its folder; returns the entry file, or None without a best."""
    best = history.best()
    return None if best is None else write_program(history.program(best.ordinal), folder / BEST)


def write_champions(history: RunHistory, folder: Path) -> Path | None:
    """Writes the champion of each round below a run's folder; returns their folder, or None without any.

    A champion's entry file is named after its round, and lies with any further files in a folder of that name
    if the program has several.
    """
    won = [(ended.round, ended.champion) for ended in history.rounds if ended.champion is not None]
    for number, champion in won:
        program, name = history.program(champion), f"round-{number + 1:03}"
        if len(program.files) > 1:
            write_program(program, folder / CHAMPIONS / name)
        else:
            _write(folder / CHAMPIONS / (name + PurePath(program.entry).suffix), program.source)
    return folder / CHAMPIONS if won else None


def _write(path: Path, text: str) -> None:
    try:
        _replace(path, text)
    except OSError as error:
        raise RunFolderError(f"{path} cannot be written: {error.strerror}") from error


def _replace(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", errors="surrogatepass", newline="") as file:
            file.write(text)
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
