"""Options that several commands share. Light: what is imported here is paid for by ``speciate --help``."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, TypeAlias

import typer


class Driver(StrEnum):
    """How candidates follow each other."""

    SEQUENTIAL = "sequential"
    PIPELINE = "pipeline"


class Order(StrEnum):
    """The order in which a pipeline places results."""

    ORDINAL = "ordinal"
    ARRIVAL = "arrival"


TaskArgument: TypeAlias = Annotated[
    str, typer.Argument(metavar="TASK", help="A built-in problem (`speciate tasks`) or a task folder.")
]
RunArgument: TypeAlias = Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run.")]

Models: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--model",
        metavar="SPEC",
        help="Who proposes, for example openai:gpt-5-mini or genetic. May be given again.",
    ),
]
PresetName: TypeAlias = Annotated[
    str | None, typer.Option("--preset", metavar="NAME", help="Settings that ship with speciate.")
]
ConfigFile: TypeAlias = Annotated[
    Path | None, typer.Option("--config", metavar="FILE", help="Settings in a TOML file; go over the preset.")
]
Settings: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="A.B=C",
        help="One setting (`speciate settings`); goes over all else. May be given again.",
    ),
]
Seed: TypeAlias = Annotated[int | None, typer.Option("--seed", metavar="S", help="Names every chance (0).")]
Out: TypeAlias = Annotated[
    Path | None, typer.Option("--out", metavar="DIR", help="The run's folder (runs/<task>-<n>).")
]
Candidates: TypeAlias = Annotated[
    int | None, typer.Option("--candidates", metavar="N", help="Stop after so many candidates in all (1000).")
]
MoreCandidates: TypeAlias = Annotated[
    int | None,
    typer.Option("--candidates", metavar="N", help="Stop after so many candidates in all (as before)."),
]
Evaluations: TypeAlias = Annotated[
    int | None, typer.Option("--evaluations", metavar="N", help="Stop after so many evaluations.")
]
MaxCost: TypeAlias = Annotated[
    float | None, typer.Option("--max-cost", metavar="USD", help="Never spend more dollars on models.")
]
MaxTokens: TypeAlias = Annotated[
    int | None, typer.Option("--max-tokens", metavar="N", help="Never use more tokens of models.")
]
MaxCalls: TypeAlias = Annotated[
    int | None, typer.Option("--max-calls", metavar="N", help="Never call models more often.")
]
MaxSeconds: TypeAlias = Annotated[
    float | None, typer.Option("--max-seconds", metavar="S", help="Stop after so much wall time.")
]
DriverOption: TypeAlias = Annotated[
    Driver | None, typer.Option("--driver", help="One candidate after the other, or many at once (pipeline).")
]
InFlight: TypeAlias = Annotated[
    int | None, typer.Option("--in-flight", metavar="N", help="Candidates that develop at once.")
]
OrderOption: TypeAlias = Annotated[
    Order | None,
    typer.Option("--order", help="Place results in turn (deterministic) or as they arrive (ordinal)."),
]
AsJson: TypeAlias = Annotated[
    bool, typer.Option("--json", help="Print one JSON object on stdout, everything else on stderr.")
]
Quiet: TypeAlias = Annotated[bool, typer.Option("--quiet", "-q", help="No progress.")]
Approve: TypeAlias = Annotated[
    bool, typer.Option("--approve", help="Show each program as a diff and ask before it is evaluated.")
]
Unsafe: TypeAlias = Annotated[
    bool,
    typer.Option("--unsafe-no-sandbox", help="Run candidates without a sandbox: they can do what you can."),
]
AllowUnknownPrice: TypeAlias = Annotated[
    bool, typer.Option("--allow-unknown-price", help="Use --max-cost with models of unknown price.")
]
AllowInvalidSeed: TypeAlias = Annotated[
    bool, typer.Option("--allow-invalid-seed", help="Go on although the initial program is invalid.")
]
