"""Built-in warriors by the names that the command line has for them."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Final, get_args

from speciate.errors import UsageError, nearest
from speciate.problems.corewar.warriors import Split, WarriorFile, load_builtin

PREFIX: Final = "builtin:"
"""What names of built-in warriors and of their splits begin with."""


def built_in_names() -> list[str]:
    """Returns the names of the splits, then of the warriors, without the prefix."""
    return [*get_args(Split), *(short_name(file) for file in load_builtin())]


def short_name(file: WarriorFile) -> str:
    """Returns a built-in warrior's name on the command line, without the prefix."""
    return PurePosixPath(file.path).stem


def find_built_in(name: str) -> tuple[WarriorFile, ...]:
    """Returns the warriors of a split, or the one warrior of that name.

    Raises:
        UsageError: there is neither.
    """
    for split in get_args(Split):
        if name == split:
            return load_builtin(split)
    found = tuple(file for file in load_builtin() if short_name(file) == name)
    if not found:
        raise UsageError(
            f"there is no built-in warrior {name!r}{nearest(name, built_in_names())} "
            "(speciate battle --list names all)"
        )
    return found
