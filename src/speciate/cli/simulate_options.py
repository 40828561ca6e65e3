"""The options of `speciate simulate`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

Nodes: TypeAlias = Annotated[
    int | None,
    typer.Option("--nodes", metavar="N", min=1, max=4096, help="How many nodes; models go round (4)."),
]
Topologies: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--topology",
        metavar="KIND",
        help="Who listens to whom: all, ring, random:K, adaptive:K (all). Given again: each in turn.",
    ),
]
Sharings: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--sharing",
        metavar="KIND",
        help="What is taken: all, opening (of empty cells alone), best:N a round, bytes:N a round (all). "
        "Given again: each in turn.",
    ),
]
Latency: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--latency",
        metavar="TIME",
        help="Seconds of a proposal, drawn once a node: 2, uniform:1:3, lognormal:MEDIAN:DEVIATION (1).",
    ),
]
Delay: TypeAlias = Annotated[
    str | None,
    typer.Option("--delay", metavar="TIME", help="Seconds an announcement travels, drawn for each (0)."),
]
Loss: TypeAlias = Annotated[
    float, typer.Option("--loss", metavar="SHARE", help="Announcements that a receiver never hears of.")
]
Duplicate: TypeAlias = Annotated[
    float, typer.Option("--duplicate", metavar="SHARE", help="Announcements that come twice.")
]
Partition: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--partition",
        metavar="BEGIN:END",
        help="Seconds between which two halves do not hear each other; BEGIN:END:N for N groups.",
    ),
]
Churn: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--churn",
        metavar="WHO:SHARE",
        help="Nodes that begin late, are away once, or die: late:0.1, away:0.2, dies:0.05.",
    ),
]
Every: TypeAlias = Annotated[
    int, typer.Option("--every", metavar="K", min=1, help="Merge the archives after each K rounds.")
]
PointsOut: TypeAlias = Annotated[
    Path | None, typer.Option("--out", metavar="FILE", help="Write all points as CSV to this file.")
]
