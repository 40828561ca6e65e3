"""What ``speciate battle`` accepts. Light: what is imported here is paid for by ``speciate --help``."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

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


def battle(
    warriors: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="WARRIOR",
            help="Redcode files, folders of .red files, or built-in warriors: builtin:NAME, builtin:SPLIT.",
            autocompletion=complete,
        ),
    ] = None,
    settings: Annotated[PresetName, typer.Option("--settings", help="The rules, by name.")] = PresetName.DRQ,
    rules: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="RULE=VALUE", help="One rule that differs. May be given again."),
    ] = None,
    rounds: Annotated[
        int | None, typer.Option("--rounds", metavar="N", min=1, help="Rounds (those of the settings).")
    ] = None,
    positions: Annotated[
        str | None,
        typer.Option(
            "--positions", metavar="P", help='Where the warriors stand, round by round: "0,4000;0,2000".'
        ),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="S", help="Names the positions that are drawn.")] = 0,
    protocol: Annotated[
        ProtocolName, typer.Option("--protocol", help="Who meets whom, for how long, and what it is worth.")
    ] = ProtocolName.PMARS,
    statistics: Annotated[
        StatisticsName, typer.Option("--statistics", help="Whether processes and cells are counted too.")
    ] = StatisticsName.VERDICT,
    dialect: Annotated[
        DialectName, typer.Option("--dialect", help="What the assembler accepts; lenient repairs.")
    ] = DialectName.STRICT,
    tournament: Annotated[
        bool, typer.Option("--tournament", help="Everyone against everyone, two at a time.")
    ] = False,
    threads: Annotated[
        int, typer.Option("--threads", metavar="N", min=1, max=256, help="Battles fought at once.")
    ] = 1,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object on stdout, everything else on stderr.")
    ] = False,
    watch: Annotated[bool, typer.Option("--watch", help="Show the rounds in the terminal.")] = False,
    speed: Annotated[
        float | None,
        typer.Option(
            "--speed", metavar="C", help="With --watch: cycles a second (20 s a round, many a minute)."
        ),
    ] = None,
    frames: Annotated[
        int | None,
        typer.Option("--frames", metavar="N", min=1, help="Print N pictures of the first round instead."),
    ] = None,
    listed: Annotated[
        bool, typer.Option("--list", help="List the built-in warriors: name, family, split.")
    ] = False,
) -> None:
    """Lets Redcode warriors fight: one alone, several in one core, or a tournament.

    \b
    speciate battle mine.red builtin:dwarf
    speciate battle mine.red builtin:heldout --tournament --rounds 10
    speciate battle a.red b.red --positions "0,4000;0,2000" --json
    speciate battle mine.red builtin:initial --protocol drq --statistics full
    speciate battle builtin:imp builtin:dwarf --settings tiny --watch
    speciate battle --list
    """
    from speciate.problems.corewar.command.listing import list_built_in
    from speciate.problems.corewar.command.request import Request, View, changed_rules, read_positions
    from speciate.problems.corewar.command.run import run_battle
    from speciate.problems.corewar.settings import PRESETS

    request = Request(
        names=tuple(warriors or ()),
        preset=settings.value,
        settings=changed_rules(PRESETS[settings.value], rules or ()),
        rounds=rounds,
        positions=None if positions is None else read_positions(positions),
        seed=seed,
        protocol=protocol.value,
        statistics=statistics.value,
        dialect=dialect.value,
        tournament=tournament,
        threads=threads,
    )
    view = View(as_json=as_json, watch=watch, speed=speed, frames=frames)
    if listed:
        list_built_in(request, view)
    else:
        run_battle(request, view)
