"""``speciate battle --list``: the built-in warriors."""

from __future__ import annotations

from typing import Final

from speciate.errors import UsageError
from speciate.problems.corewar.command import telling
from speciate.problems.corewar.command.built_in import PREFIX, short_name
from speciate.problems.corewar.command.request import Request, View
from speciate.problems.corewar.warriors import fitting, load_builtin

_HEAD: Final = ("warrior", "family", "split", "fits")


def list_built_in(request: Request, view: View) -> None:
    """Lists the built-in warriors, and which of them can be assembled for the rules.

    Raises:
        UsageError: warriors are named too.
    """
    if request.names:
        raise UsageError("--list lists all built-in warriors; leave out the names")
    fit = set(fitting(load_builtin(), request.settings))
    listed = [
        {
            "warrior": PREFIX + short_name(file),
            "family": file.family or "",
            "split": file.path.partition("/")[0],
            "fits": file in fit,
        }
        for file in load_builtin()
    ]
    rows = [[str(each[key]) for key in _HEAD[:3]] + ["yes" if each["fits"] else "no"] for each in listed]
    telling.say(
        *telling.table(_HEAD, rows, texts=4),
        "",
        f"fits: can fight under the rules asked for ({request.preset}).",
        f"{PREFIX}initial, {PREFIX}training and {PREFIX}heldout stand for all of a split that fit.",
        as_json=view.as_json,
    )
    telling.result({"warriors": listed}, as_json=view.as_json)
