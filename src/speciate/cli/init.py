"""``speciate init``: a task to start from."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from speciate.cli import options
from speciate.cli.output import Output


def init(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where the task goes; made if need be.")],
    language: Annotated[
        str, typer.Option("--language", metavar="NAME", help="Language of the program that evolves.")
    ] = "python",
    as_json: options.AsJson = False,
) -> None:
    """Writes a small task that runs at once, to change into your own. Overwrites nothing.

    \b
    speciate init my_task
    """
    from speciate.tasks import scaffold

    output = Output(as_json=as_json)
    files = scaffold(folder, language)
    output.say(*(str(path) for path in files), "")
    place = f"./{folder}" if folder.parent == Path() else str(folder)
    place = shlex.quote(place)
    commands = [f"speciate check {place}", f"speciate run {place} --candidates 200"]
    output.say("Next:", *(f"  {command}" for command in commands))
    output.result({"files": files, "next": commands})
