"""Writes a small task that runs at once, for a user to change into their own."""

from __future__ import annotations

from pathlib import Path

from speciate.errors import TaskError, nearest

_TEMPLATES = Path(__file__).parent / "templates"
_FILES = ("task.toml", "initial.py", "run.py", "score.py")


def scaffold_languages() -> tuple[str, ...]:
    """Returns the languages there is a template for, sorted."""
    return tuple(sorted(folder.name for folder in _TEMPLATES.iterdir() if folder.is_dir()))


def scaffold(folder: str | Path, language: str = "python") -> list[Path]:
    """Writes a task of kind ``split`` into a folder, which is made if need be.

    Args:
        folder: where to write. What lies there already stays; nothing is overwritten.
        language: language of the program that evolves.

    Returns:
        The files written: task.toml, the initial program, run.py, score.py.

    Raises:
        TaskError: there is no template for the language, a file is there already, or the folder cannot be
            written; in all cases nothing was written over.
    """
    known = scaffold_languages()
    if language not in known:
        raise TaskError(f"no template for {language!r}{nearest(language, known)} (known: {', '.join(known)})")
    folder = Path(folder)
    targets = [folder / name for name in _FILES]
    taken = [path for path in targets if path.exists() or path.is_symlink()]
    if taken:
        raise TaskError(f"{taken[0]} is there already; choose another folder or move it away")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path in targets:
            with path.open("x", encoding="utf-8", newline="\n") as file:
                file.write((_TEMPLATES / language / path.name).read_text(encoding="utf-8"))
    except OSError as error:
        raise TaskError(f"{folder} cannot be written: {error.strerror}") from None
    return targets
