"""``speciate settings``: what ``--set`` and a settings file may say."""

from __future__ import annotations

from typing import Annotated

import typer

from speciate.cli import options
from speciate.cli.output import Output


def settings(
    prefix: Annotated[
        str, typer.Argument(metavar="[PREFIX]", help="Only settings whose key begins like this.")
    ] = "",
    as_json: options.AsJson = False,
) -> None:
    """Lists the settings of a run: key, default, what it takes and what it means.

    \b
    speciate settings
    speciate settings population.archive
    """
    from speciate.cli.setting_facts import show_settings

    show_settings(prefix, Output(as_json=as_json))
