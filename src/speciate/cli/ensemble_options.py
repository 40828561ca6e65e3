"""Options of ``ensemble`` and ``node``. Light: what is imported here is paid for by ``speciate --help``."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, TypeAlias

import typer


class Clock(StrEnum):
    """How the nodes' times go together."""

    VIRTUAL = "virtual"
    WALL = "wall"


ModelByNode: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--model", metavar="SPEC", help="Who proposes at a node. Given again: at the next node, one each."
    ),
]
Nodes: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--nodes", metavar="N", min=1, max=256, help="How many nodes (one a model, else 4); models go round."
    ),
]
Rounds: TypeAlias = Annotated[
    int | None,
    typer.Option("--rounds", metavar="R", min=1, help="Rounds of each node (as the task, else 5)."),
]
Iterations: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--iterations",
        metavar="T",
        min=1,
        help="Proposals of each node in a round (as the task, else 50); ensemble.initial more to begin with.",
    ),
]
Topology: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--topology", metavar="KIND", help="Who listens to whom: all, ring, random:K, adaptive:K (all)."
    ),
]
Latency: TypeAlias = Annotated[
    list[float] | None,
    typer.Option(
        "--latency",
        metavar="S",
        help="Declared seconds of a proposal, on the virtual clock (1). Given once a node: each its own.",
    ),
]
ClockOption: TypeAlias = Annotated[
    Clock | None,
    typer.Option(
        "--clock", help="Declared times, and equal seeds give equal histories; or real time (virtual)."
    ),
]
Candidates: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--candidates", metavar="N", help="Stop after so many candidates, divided evenly over the nodes."
    ),
]
Evaluations: TypeAlias = Annotated[
    int | None,
    typer.Option("--evaluations", metavar="N", help="Stop after so many evaluations, divided likewise."),
]
MaxCost: TypeAlias = Annotated[
    float | None,
    typer.Option("--max-cost", metavar="USD", help="Never spend more dollars on models, divided likewise."),
]
MaxTokens: TypeAlias = Annotated[
    int | None,
    typer.Option("--max-tokens", metavar="N", help="Never use more tokens of models, divided likewise."),
]
MaxCalls: TypeAlias = Annotated[
    int | None,
    typer.Option("--max-calls", metavar="N", help="Never call models more often, divided likewise."),
]
Anew: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--anew", help="Let nodes of an ensemble begin anew whose folders are lost: they pay again."
    ),
]

Transport: TypeAlias = Annotated[
    str,
    typer.Option(
        "--transport",
        metavar="URL",
        help="The ensemble's NATS broker, nats://HOST:PORT or tls://HOST:PORT. Secrets are best kept in "
        "NATS_TOKEN, or NATS_USER and NATS_PASSWORD; an authority of your own in NATS_CA.",
    ),
]
NodeName: TypeAlias = Annotated[
    str, typer.Option("--name", metavar="NODE", help="This node's name; nobody else there has it.")
]
EnsembleName: TypeAlias = Annotated[
    str | None, typer.Option("--ensemble", metavar="NAME", help="The ensemble's name (ensemble).")
]
NodeRounds: TypeAlias = Annotated[
    int | None, typer.Option("--rounds", metavar="R", help="Rounds; each ends in a champion.")
]
NodeIterations: TypeAlias = Annotated[
    int | None, typer.Option("--iterations", metavar="T", help="Iterations of a round.")
]
TakeOver: TypeAlias = Annotated[
    bool, typer.Option("--take-over", help="Take the name from a node that will never come back.")
]
NodeOut: TypeAlias = Annotated[
    Path | None, typer.Option("--out", metavar="DIR", help="The node's folder (runs/<ensemble>-<node>).")
]
