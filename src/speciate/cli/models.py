"""``speciate models``: who can propose, what it costs, and whether it answers."""

from __future__ import annotations

from typing import Annotated

import typer

from speciate.cli import options
from speciate.cli.output import Output


def models(
    specs: Annotated[
        list[str] | None, typer.Argument(metavar="[SPEC]...", help="Models to look up; nothing is sent.")
    ] = None,
    probe: Annotated[
        bool, typer.Option("--probe", help="Send each of these models one tiny question; it may be billed.")
    ] = False,
    config: options.ConfigFile = None,
    as_json: options.AsJson = False,
) -> None:
    """Lists the forms of a model's spec, which keys are present, and prices with their source.

    With --probe it leaves with 1 when a model does not answer.

    \b
    speciate models
    speciate models openai:gpt-5-mini simulated:careful
    speciate models --probe anthropic:claude-haiku-4-5
    """
    from speciate.cli.model_facts import show_known, show_specs
    from speciate.cli.probes import show_probes

    output = Output(as_json=as_json)
    if probe and not specs:
        raise typer.BadParameter("name the models to ask", param_hint="--probe")
    if specs and probe:
        if not show_probes(specs, config, output):
            raise typer.Exit(1)
    elif specs:
        show_specs(specs, config, output)
    else:
        show_known(output)
