"""Options of ``speciate battle``. Light: what is imported here is paid for by ``speciate --help``."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, TypeAlias

import typer


class PresetName(StrEnum):
    """Rules by name; those of `settings.PRESETS`."""

    DRQ = "drq"
    HILL = "94nop"
    NANO = "nano"
    TINY = "tiny"


class ProtocolName(StrEnum):
    """What a battle is about; those of `scoring.Protocol`."""

    PMARS = "pmars"
    DRQ = "drq"
    SURVIVAL = "survival"


class StatisticsName(StrEnum):
    """What is counted."""

    VERDICT = "verdict"
    FULL = "full"


class DialectName(StrEnum):
    """What the assembler accepts; those of `redcode.Dialect`."""

    STRICT = "strict"
    LENIENT = "lenient"
    ICWS88 = "icws88"


def complete(context: typer.Context, incomplete: str) -> list[str]:
    """Returns the names of built-in warriors that an unfinished word may become; without any, files are.

    Bash takes ``builtin:im`` for three words and asks for the last one alone.
    """
    from speciate.problems.corewar.command.built_in import PREFIX, built_in_names

    if not incomplete:
        return []
    before = list(context.params.get("warriors") or ())
    prefix = "" if before[-2:] == [PREFIX[:-1], PREFIX[-1]] else PREFIX
    return [prefix + name for name in built_in_names() if (prefix + name).startswith(incomplete)]


Warriors: TypeAlias = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="WARRIOR",
        help="Redcode files, folders of .red files, or built-in warriors: builtin:NAME, builtin:SPLIT.",
        autocompletion=complete,
    ),
]
Preset: TypeAlias = Annotated[PresetName, typer.Option("--settings", help="The rules, by name.")]
Rules: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="RULE=VALUE", help="One rule that differs. May be given again."),
]
Rounds: TypeAlias = Annotated[
    int | None, typer.Option("--rounds", metavar="N", min=1, help="Rounds (those of the settings).")
]
Positions: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--positions", metavar="P", help='Where the warriors stand, round by round: "0,4000;0,2000".'
    ),
]
Seed: TypeAlias = Annotated[
    int, typer.Option("--seed", metavar="S", help="Names the positions that are drawn.")
]
Protocol: TypeAlias = Annotated[
    ProtocolName, typer.Option("--protocol", help="Who meets whom, for how long, and what it is worth.")
]
Statistics: TypeAlias = Annotated[
    StatisticsName, typer.Option("--statistics", help="Whether processes and cells are counted too.")
]
Dialect: TypeAlias = Annotated[
    DialectName, typer.Option("--dialect", help="What the assembler accepts; lenient repairs.")
]
Tournament: TypeAlias = Annotated[
    bool, typer.Option("--tournament", help="Everyone against everyone, two at a time.")
]
Threads: TypeAlias = Annotated[
    int, typer.Option("--threads", metavar="N", min=1, max=256, help="Battles fought at once.")
]
AsJson: TypeAlias = Annotated[
    bool, typer.Option("--json", help="Print one JSON object on stdout, everything else on stderr.")
]
Watch: TypeAlias = Annotated[bool, typer.Option("--watch", help="Show the rounds in the terminal.")]
Speed: TypeAlias = Annotated[
    float | None,
    typer.Option("--speed", metavar="C", help="With --watch: cycles a second (20 s a round, many a minute)."),
]
Frames: TypeAlias = Annotated[
    int | None,
    typer.Option("--frames", metavar="N", min=1, help="Print N pictures of the first round instead."),
]
Listed: TypeAlias = Annotated[
    bool, typer.Option("--list", help="List the built-in warriors: name, family, split.")
]
