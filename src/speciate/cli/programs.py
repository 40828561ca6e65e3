"""Writes programs of a run to files."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from speciate.errors import RunFolderError
from speciate.records import Program
from speciate.store import RunHistory

BEST = "best"
"""Folder within a run's folder that holds the best program."""


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
