"""``speciate compare``: several runs side by side."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from speciate.cli import options
from speciate.cli.output import Output


class Unit(StrEnum):
    """What an equal budget is counted in."""

    CANDIDATES = "candidates"
    EVALUATIONS = "evaluations"
    TOKENS = "tokens"
    COST = "cost"


def compare(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="The folders of two runs or more.")],
    by: Annotated[Unit, typer.Option("--by", help="What the equal budget is counted in.")] = Unit.CANDIDATES,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="DIR", help="Also write a page and a picture of all curves there."),
    ] = None,
    as_json: options.AsJson = False,
) -> None:
    """Compares runs of one task at an equal budget, and shows the settings that differ.

    Runs whose settings differ in the seed alone count as one kind; kinds of two runs or more are tested.

    \b
    speciate compare runs/circle_packing-1 runs/circle_packing-2
    speciate compare runs/* --by cost --out comparison
    """
    from speciate.reports import compare_runs, comparison_json, comparison_page, write_comparison

    output = Output(as_json=as_json)
    comparison = compare_runs(runs, by.value)
    output.say(comparison_page(comparison).rstrip("\n"))
    files: list[Path] = []
    if out is not None:
        files, missing = write_comparison(comparison, out)
        output.remark(f"Written: {', '.join(map(str, files))}")
        if missing is not None:
            output.remark(f"Without a picture: {missing}")
    output.result({**comparison_json(comparison), "files": files})
