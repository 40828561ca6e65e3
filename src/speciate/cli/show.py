"""``speciate show``: how a run stands, and any of its candidates."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from speciate.cli import options
from speciate.cli.output import Output


class Section(StrEnum):
    """Parts of a report that can be looked at alone."""

    ANCESTRY = "ancestry"
    FAILURES = "failures"
    ISLANDS = "islands"
    NOVELTY = "novelty"
    PROPOSERS = "proposers"


def show(
    run: options.RunArgument,
    best: Annotated[bool, typer.Option("--best", help="Print the best program.")] = False,
    candidate: Annotated[
        int | None, typer.Option("--candidate", metavar="N", help="Print everything about candidate N.")
    ] = None,
    prompt: Annotated[
        int | None, typer.Option("--prompt", metavar="N", help="Print what N's model saw and said.")
    ] = None,
    prompts: Annotated[
        bool,
        typer.Option("--prompts", help="Print the ways in which models were asked and what came of them."),
    ] = False,
    rollback: Annotated[
        int | None, typer.Option("--rollback", metavar="N", help="Name the best program before candidate N.")
    ] = None,
    scratchpad: Annotated[
        bool, typer.Option("--scratchpad", help="Print the scratchpad and what its advice was worth.")
    ] = False,
    section: Annotated[
        Section | None, typer.Option("--section", help="Print one part of the report.")
    ] = None,
    write: Annotated[
        Path | None,
        typer.Option(
            "--write", metavar="DIR", help="Write the program of --best, --candidate or --rollback."
        ),
    ] = None,
    as_json: options.AsJson = False,
) -> None:
    """Shows how a run or an ensemble stands, also while it goes on.

    \b
    speciate show runs/circle_packing-1
    speciate show runs/circle_packing-1 --candidate 17
    speciate show runs/circle_packing-1 --section proposers
    speciate show runs/circle_packing-1 --rollback 500 --write before
    """
    from speciate.cli.ensemble_ending import show_ensemble
    from speciate.cli.views import View, show_run
    from speciate.ensembles import is_ensemble

    view = View(
        best=best,
        candidate=candidate,
        prompt=prompt,
        prompts=prompts,
        rollback=rollback,
        scratchpad=scratchpad,
        section=None if section is None else section.value,
        write=write,
    )
    if is_ensemble(run):
        show_ensemble(run, view, Output(as_json=as_json))
    else:
        show_run(run, view, Output(as_json=as_json))
