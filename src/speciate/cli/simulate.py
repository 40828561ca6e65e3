"""``speciate simulate``: ensembles of up to thousands of nodes in virtual time, a network around them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from speciate.cli import ensemble_options, options
from speciate.cli.output import Output


def simulate(
    task: options.TaskArgument,
    model: ensemble_options.ModelByNode = None,
    nodes: Annotated[
        int | None,
        typer.Option("--nodes", metavar="N", min=1, max=4096, help="How many nodes; models go round (4)."),
    ] = None,
    rounds: ensemble_options.Rounds = None,
    iterations: ensemble_options.Iterations = None,
    topology: Annotated[
        list[str] | None,
        typer.Option(
            "--topology",
            metavar="KIND",
            help="Who listens to whom: all, ring, random:K, adaptive:K (all). Given again: each in turn.",
        ),
    ] = None,
    sharing: Annotated[
        list[str] | None,
        typer.Option(
            "--sharing",
            metavar="KIND",
            help="What is taken: all, opening (of empty cells alone), best:N a round, bytes:N a round (all). "
            "Given again: each in turn.",
        ),
    ] = None,
    latency: Annotated[
        str | None,
        typer.Option(
            "--latency",
            metavar="TIME",
            help="Seconds of a proposal, drawn once a node: 2, uniform:1:3, lognormal:MEDIAN:DEVIATION (1).",
        ),
    ] = None,
    delay: Annotated[
        str | None,
        typer.Option("--delay", metavar="TIME", help="Seconds an announcement travels, drawn for each (0)."),
    ] = None,
    loss: Annotated[
        float, typer.Option("--loss", metavar="SHARE", help="Announcements that a receiver never hears of.")
    ] = 0.0,
    duplicate: Annotated[
        float, typer.Option("--duplicate", metavar="SHARE", help="Announcements that come twice.")
    ] = 0.0,
    partition: Annotated[
        str | None,
        typer.Option(
            "--partition",
            metavar="BEGIN:END",
            help="Seconds between which two halves do not hear each other; BEGIN:END:N for N groups.",
        ),
    ] = None,
    churn: Annotated[
        list[str] | None,
        typer.Option(
            "--churn",
            metavar="WHO:SHARE",
            help="Nodes that begin late, are away once, or die: late:0.1, away:0.2, dies:0.05.",
        ),
    ] = None,
    every: Annotated[
        int, typer.Option("--every", metavar="K", min=1, help="Merge the archives after each K rounds.")
    ] = 1,
    preset: options.PresetName = None,
    config: options.ConfigFile = None,
    set_: options.Settings = None,
    seed: options.Seed = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write all points as CSV to this file.")
    ] = None,
    as_json: options.AsJson = False,
    quiet: options.Quiet = False,
) -> None:
    """Simulates an ensemble: the real nodes, in virtual time, under a network that loses and delays.

    Nothing is kept but what is printed or written to --out. Equal seeds give equal simulations.

    \b
    speciate simulate corewar --nodes 16 --topology all --topology ring --topology random:2
    speciate simulate my_task --nodes 256 --topology random:4 --loss 0.5 --churn dies:0.1 --out curve.csv
    """
    from speciate.cli.simulating import Around, simulate_all

    around = Around(
        latency=latency,
        delay=delay,
        loss=loss,
        duplicate=duplicate,
        partition=partition,
        churn=tuple(churn or ()),
        seed=seed or 0,
    )
    simulate_all(
        task,
        around,
        models=tuple(model or ()),
        nodes=nodes,
        rounds=rounds,
        iterations=iterations,
        topologies=tuple(topology or ("all",)),
        sharings=tuple(sharing or ("all",)),
        every=every,
        preset=preset,
        file=config,
        assignments=set_ or (),
        out=out,
        output=Output(as_json=as_json, quiet=quiet),
    )
