"""``speciate battle``: lets warriors fight."""

from __future__ import annotations

from speciate.problems.corewar.command import options


def battle(
    warriors: options.Warriors = None,
    settings: options.Preset = options.PresetName.DRQ,
    rules: options.Rules = None,
    rounds: options.Rounds = None,
    positions: options.Positions = None,
    seed: options.Seed = 0,
    protocol: options.Protocol = options.ProtocolName.PMARS,
    statistics: options.Statistics = options.StatisticsName.VERDICT,
    dialect: options.Dialect = options.DialectName.STRICT,
    tournament: options.Tournament = False,
    threads: options.Threads = 1,
    as_json: options.AsJson = False,
    watch: options.Watch = False,
    speed: options.Speed = None,
    frames: options.Frames = None,
    listed: options.Listed = False,
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
