"""Which format a folder is in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from speciate.errors import TaskError
from speciate.records import Json
from speciate.tasks.definition import Task
from speciate.tasks.formats import native, openevolve, shinka


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of task folder.

    Attributes:
        name: what users call it.
        sign: what makes a folder one of these, for messages.
        recognises: says whether a folder is one.
        load: loads it with the caller's parameters; raises TaskError.
    """

    name: str
    sign: str
    recognises: Callable[[Path], bool]
    load: Callable[[Path, Mapping[str, Json]], Task]


FORMATS: tuple[Format, ...] = (
    Format("native", f"a {native.TASK_FILE}", native.recognises, native.load),
    Format("openevolve", "an evaluator.py with an initial_program", openevolve.recognises, openevolve.load),
    Format("shinka", "an evaluate.py with an initial program", shinka.recognises, shinka.load),
)
"""All formats; the first that recognises a folder loads it."""


def format_of(folder: Path) -> Format:
    """Returns the format of a folder.

    Raises:
        TaskError: it is in none.
    """
    for candidate in FORMATS:
        if candidate.recognises(folder):
            return candidate
    first, *others = (one.sign.partition(" ")[2] for one in FORMATS)
    raise TaskError(
        f"{folder} is not a task: it has no {first}, no {', no '.join(others)}; `speciate init` makes one"
    )
