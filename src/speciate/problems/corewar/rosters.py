"""Rosters: whom a parameter of the task means."""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from typing import get_args

from speciate.errors import TaskError, UsageError, nearest
from speciate.problems.corewar.redcode import RedcodeError
from speciate.problems.corewar.settings import Settings
from speciate.problems.corewar.warriors import Split, WarriorFile, fitting, load_builtin, load_folder

NOBODY = "none"


def roster(parameter: str, value: str, settings: Settings) -> tuple[str, ...]:
    """Returns the sources of the warriors that a parameter means.

    Args:
        parameter: its name, for messages.
        value: ``none``; a split of the built-in warriors, of which those that do not fit the rules are left
            out; names of built-in warriors, with commas; or a folder of .red files. Named ones, and all of a
            folder, must fit.
        settings: the rules.

    Raises:
        TaskError: it means nothing, or one of them cannot be assembled for these rules.
    """
    if value == NOBODY:
        return ()
    for split in get_args(Split):
        if value == split:
            return tuple(warrior.source for warrior in fitting(load_builtin(split), settings))
    if value and Path(value).is_dir():
        return _folder(parameter, value, settings)
    return tuple(_named(parameter, name.strip(), settings).source for name in value.split(","))


def _named(parameter: str, name: str, settings: Settings) -> WarriorFile:
    built_in = {PurePosixPath(warrior.path).stem: warrior for warrior in load_builtin()}
    if (warrior := built_in.get(name)) is None:
        known = (NOBODY, *get_args(Split))
        raise TaskError(
            f"parameters.{parameter}: there is no warrior and no folder {name!r}"
            f"{nearest(name, (*known, *built_in))}; expected {', '.join(known)}, built-in warriors by name "
            "(speciate battle --list), or a folder of .red files"
        )
    try:
        warrior.assemble(settings)
    except RedcodeError as error:
        raise TaskError(f"parameters.{parameter}: {name} does not fit these rules: {error}") from error
    return warrior


def _folder(parameter: str, value: str, settings: Settings) -> tuple[str, ...]:
    try:
        loaded = load_folder(Path(value), settings)
    except UsageError as error:
        raise TaskError(f"parameters.{parameter}: {error}") from error
    if loaded.refused:
        first = loaded.refused[0]
        more = f" (and {len(loaded.refused) - 1} more)" if len(loaded.refused) > 1 else ""
        raise TaskError(f"parameters.{parameter}: {value}/{first.path}: {first.reason}{more}")
    return tuple(warrior.source for warrior in loaded.warriors)
