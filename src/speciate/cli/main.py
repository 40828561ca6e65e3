"""``speciate``: the commands, and the edge at which every error ends."""

from __future__ import annotations

import io
import signal
import sys
from collections.abc import Callable, Sequence
from typing import Annotated, NoReturn

import typer

from speciate.cli.check import check
from speciate.cli.compare import compare
from speciate.cli.doctor import doctor
from speciate.cli.ensemble import ensemble
from speciate.cli.experiment import experiment
from speciate.cli.failures import INTERRUPTED, interruptible, report_failure
from speciate.cli.init import init
from speciate.cli.models import models
from speciate.cli.node import node
from speciate.cli.novelty import novelty
from speciate.cli.report import report
from speciate.cli.resume import resume
from speciate.cli.run import run
from speciate.cli.settings_list import settings
from speciate.cli.show import show
from speciate.cli.simulate import simulate
from speciate.cli.tasks import tasks

COMMANDS: dict[str, Callable[..., None]] = {
    "run": run,
    "node": node,
    "resume": resume,
    "show": show,
    "report": report,
    "ensemble": ensemble,
    "simulate": simulate,
    "compare": compare,
    "novelty": novelty,
    "experiment": experiment,
    "check": check,
    "init": init,
    "settings": settings,
    "tasks": tasks,
    "models": models,
    "doctor": doctor,
}

GROUP = "speciate.commands"
"""Entry points of this group add commands: a name, and a function with a signature that typer understands."""

HELP = """Evolve programs with a population of different minds.

\b
  speciate run circle_packing --preset demo
  speciate init my_task && speciate run my_task --candidates 200
  speciate show runs/my_task-1
"""


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Runs one command and leaves with its exit code.

    Args:
        arguments: what follows the program's name; None takes those of this process.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        code = run_command(words)
    except KeyboardInterrupt:  # while the last words of the command were said
        code = INTERRUPTED
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # an interpreter that shuts down would print a traceback
    sys.exit(code)


def run_command(words: Sequence[str]) -> int:
    """Runs one command and returns its exit code: 0, 1 (it broke), 2 (misused) or 130 (interrupted)."""
    _print_anything()
    debug = "--debug" in words
    words = [word for word in words if word != "--debug"]  # wherever it stands
    try:
        code = build_app(words)(args=words, prog_name="speciate", standalone_mode=False)
    except Exception as error:  # noqa: BLE001 -- the edge: every error ends in a sentence
        return report_failure(error, as_json="--json" in words, debug=debug)
    return code if isinstance(code, int) else 0


def build_app(words: Sequence[str]) -> typer.Typer:
    """Returns the application. Problems' own commands are looked for unless a built-in one is asked for."""
    app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False)
    app.callback(help=HELP, invoke_without_command=True)(_common)
    for name, command in COMMANDS.items():
        app.command(name)(interruptible(command))
    if not words or words[0] not in COMMANDS:
        _add_problem_commands(app)
    return app


def _common(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show tracebacks; may stand anywhere.")] = False,
) -> None:
    # `debug` is here for the help alone: `run_command` takes it out of the words, wherever it stands.
    if version:
        from speciate import __version__

        print(__version__)
    elif context.invoked_subcommand is None:
        print(context.get_help())


def _add_problem_commands(app: typer.Typer) -> None:
    from importlib.metadata import entry_points

    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        try:
            command = point.load()
        except (ImportError, AttributeError) as error:
            print(f"the command {point.name!r} ({point.value}) cannot be loaded: {error}", file=sys.stderr)
        else:
            app.command(point.name)(interruptible(command))


def _print_anything() -> None:
    """Lets programs be printed that no terminal can show: half characters appear as escapes."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
