"""``speciate experiment``: conditions × seeds at an equal budget."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from speciate.cli import options
from speciate.cli.output import Output


def experiment(
    plan: Annotated[
        str | None,
        typer.Argument(
            metavar="[PLAN]", help="A plan's TOML file or the name of a shipped one; without it, lists those."
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="DIR", help="The experiment's folder (experiments/<plan>)."),
    ] = None,
    jobs: Annotated[
        int | None, typer.Option("--jobs", metavar="N", min=1, help="Runs at the same time (one a core).")
    ] = None,
    seeds: Annotated[
        int | None, typer.Option("--seeds", metavar="N", min=1, help="Other than the plan's number of seeds.")
    ] = None,
    budget: Annotated[
        float | None, typer.Option("--budget", metavar="N", help="Other than the plan's budget of each run.")
    ] = None,
    model: options.Models = None,
    set_: options.Settings = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only check the plan and say what would run.")
    ] = False,
    as_json: options.AsJson = False,
    quiet: options.Quiet = False,
) -> None:
    """Runs a plan and writes tables, tests, curves and what they do not show. The same command goes on.

    --model and --set change what all conditions start from; what a condition sets itself goes over them.
    Leaves with 1 if a run failed; the others are counted all the same.

    \b
    speciate experiment ablation-parents --dry-run
    speciate experiment ablation-parents --seeds 5 --budget 100
    speciate experiment my_plan.toml --model openai:gpt-5-mini --out experiments/real
    """
    output = Output(as_json=as_json, quiet=quiet)
    if plan is None:
        from speciate.cli.experimenting import list_plans

        list_plans(output)
        return
    from speciate.cli.experimenting import Request, experimenting

    request = Request(
        plan=plan,
        out=out,
        jobs=jobs,
        seeds=seeds,
        budget=budget,
        models=tuple(model or ()),
        assignments=tuple(set_ or ()),
        dry_run=dry_run,
    )
    experimenting(request, output)
