"""How errors end a command: one sentence, an exit code, and a traceback only for those who want it."""

from __future__ import annotations

import errno
import json
import shlex
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import wraps
from pathlib import Path

import typer

from speciate.cli.words import visible
from speciate.errors import ScoreError, SpeciateError, StoreCorruptError, UsageError

BROKEN = 1
MISUSED = 2
INTERRUPTED = 130

_MENDABLE = (UsageError, StoreCorruptError, ScoreError)
"""What the user has to mend before the command can do anything: arguments, task, run folder."""

_CommandLineError = typer.BadParameter.__base__
"""Typer's own root of wrong arguments, which it does not export under a name."""


class Interrupted(Exception):  # noqa: N818 -- nothing went wrong
    """The user ended a command. Stands in for KeyboardInterrupt, which typer would swallow."""


def interruptible(command: Callable[..., None]) -> Callable[..., None]:
    """Returns a command that ends with `Interrupted` when the user presses Ctrl-C, with all notes kept."""

    @wraps(command)
    def wrapped(*arguments: object, **options: object) -> None:
        try:
            command(*arguments, **options)
        except BaseException as error:
            from asyncio import CancelledError  # costs a fifth of `speciate --help`

            if not isinstance(error, KeyboardInterrupt | CancelledError):
                raise
            interrupted = Interrupted()
            for note in _notes(error):
                interrupted.add_note(note)
            raise interrupted from error

    return wrapped


def report_failure(error: BaseException, *, as_json: bool, debug: bool) -> int:
    """Tells the user about an error and returns the exit code.

    Args:
        error: what ended the command.
        as_json: whether ``{"error": …}`` goes to stdout besides.
        debug: whether the traceback is shown.
    """
    from speciate.llm import redact  # heavy, and needed only when something went wrong

    message, code = explain(error)
    message = redact(message)
    if debug:
        print(redact("".join(traceback.format_exception(error))), end="", file=sys.stderr)
    print(f"speciate: {visible(message)}", file=sys.stderr)
    for note in _notes(error):
        print(redact(note), file=sys.stderr)
    if as_json:
        print(json.dumps({"error": message}), flush=True)
    return code


def explain(error: BaseException) -> tuple[str, int]:
    """Returns what to say about an error, and the exit code."""
    match error:
        case Interrupted() | typer.Abort():
            return "stopped", INTERRUPTED
        case SpeciateError():
            return str(error), MISUSED if isinstance(error, _MENDABLE) else BROKEN
        case _ if _CommandLineError is not None and isinstance(error, _CommandLineError):
            return _command_line_message(error), MISUSED
        case OSError(errno=errno.ENAMETOOLONG):
            name = str(error.filename)
            return f"the name {name[:40]!r}… is too long for a file: it has {len(name)} characters", MISUSED
        case _:
            what = f"{type(error).__name__}: {error}".rstrip(": ")
            return f"This is a bug in speciate: {what}. Run again with --debug to see where", BROKEN


def _command_line_message(error: BaseException) -> str:
    # Typer's message with the name of the option in front; its class has no public type.
    message: str = error.format_message()  # type: ignore[attr-defined]
    return message


def _notes(error: BaseException) -> list[str]:
    return list(error.__notes__) if hasattr(error, "__notes__") else []  # absent until a note is added


@contextmanager
def resumable(folder: Path) -> Iterator[None]:
    """Adds how to go on to whatever ends a run that has begun to evolve."""
    try:
        yield
    except BaseException as error:
        if not isinstance(error, UsageError) and _has_begun(folder):
            error.add_note(
                f"What is recorded is kept; go on with: speciate resume {shlex.quote(str(folder))}"
            )
        raise


def _has_begun(folder: Path) -> bool:
    """Whether there may be more in a run's history than its initial program."""
    from speciate.store import open_reader

    try:
        with closing(open_reader(folder)) as reader:
            return any(stored.event.ordinal > 0 for stored in reader.events())
    except SpeciateError:
        return True  # it cannot be read now, which says nothing about what is in it
