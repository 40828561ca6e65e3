"""``speciate models``: who can propose, and what it costs."""

from __future__ import annotations

from typing import Annotated

import typer

from speciate.cli import options
from speciate.cli.output import Output


def models(
    specs: Annotated[
        list[str] | None, typer.Argument(metavar="[SPEC]...", help="Models to look up; nothing is sent.")
    ] = None,
    config: options.ConfigFile = None,
    as_json: options.AsJson = False,
) -> None:
    """Lists the forms of a model's spec, which keys are present, and prices with their source.

    \b
    speciate models
    speciate models openai:gpt-5-mini simulated:careful
    """
    from speciate.cli.model_facts import show_known, show_specs

    output = Output(as_json=as_json)
    if specs:
        show_specs(specs, config, output)
    else:
        show_known(output)
