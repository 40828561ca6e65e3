"""``speciate novelty``: what a threshold would have stopped in recorded runs, and how right a judge was."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from speciate.cli import options
from speciate.cli.output import Output


def novelty(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="The folders of one run or more.")],
    threshold: Annotated[
        list[float] | None,
        typer.Option("--threshold", metavar="T", help="Show this threshold; may be repeated."),
    ] = None,
    recorded: Annotated[
        bool,
        typer.Option("--recorded", help="Take the comparisons that the runs made themselves."),
    ] = False,
    as_json: options.AsJson = False,
) -> None:
    """Shows what thresholds of the embedding would have found suspicious in recorded runs.

    Programs are embedded and compared again by our own embedding. With --recorded the comparisons are
    those of the runs themselves, by whatever embedding they had; and what their judges said is held
    against what programs did.

    \b
    speciate novelty runs/circle_packing-1 runs/circle_packing-2
    speciate novelty runs/* --recorded --json
    """
    from speciate.cli.calibration import calibrate_runs

    calibrate_runs(runs, threshold, recorded=recorded, output=Output(as_json=as_json))
