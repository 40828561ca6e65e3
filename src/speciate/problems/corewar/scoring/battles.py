"""A battle under a protocol: who meets whom, where, for how long, and what it is worth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, get_args

from speciate.errors import UsageError, nearest
from speciate.problems.corewar.mars import MOST_SEATS, Counting, Counts, EngineName, Rules, Stop, pack, run
from speciate.problems.corewar.scoring import placement, points
from speciate.problems.corewar.scoring.company import (
    Positions,
    check_positions,
    check_rounds,
    check_rows,
    check_warriors,
)
from speciate.problems.corewar.settings import Settings
from speciate.problems.corewar.warrior import Warrior
from speciate.seeds import stream

Protocol = Literal["pmars", "drq", "survival"]
"""``pmars``: all meet in one core; the round ends when one is left. ``drq``: all meet in one core to the last
cycle, and those alive share each cycle's point. ``survival``: the first meets each of the others alone, to
the last cycle, and is worth how long it lives."""

MOST_OPPONENTS: Final = 100_000
"""Most opponents under ``survival``, where no core holds more than two warriors."""


@dataclass(frozen=True, slots=True)
class BattleResult:
    """How a battle went.

    Attributes:
        protocol: what it was fought under.
        positions: where the warriors were loaded, [round][warrior].
        results: for two warriors ``[[wins, ties], [wins, ties]]``, otherwise for each the rounds it
            survived with 1, 2, … all alive, and those it died in. Under ``survival`` always ``[wins,
            ties]``: of the first against all, then of each other against the first.
        scores: one a warrior, higher is better: points of pMARS, summed over the rounds (``pmars``); shares
            of the cycles times the number of warriors, averaged over the rounds (``drq``); shares of the
            cycles survived, averaged over the rounds and for the first summed over its opponents
            (``survival``).
        counts: what the simulator counted, (1, rounds, warriors); under ``survival`` (opponents, rounds,
            2). The first warrior is ``[:, :, 0]`` in both.
    """

    protocol: Protocol
    positions: Positions
    results: list[list[int]]
    scores: tuple[float, ...]
    counts: Counts


def battle(
    warriors: Sequence[Warrior],
    settings: Settings | None = None,
    positions: Sequence[Sequence[int]] | None = None,
    rounds: int = 1,
    seed: int = 0,
    protocol: Protocol = "pmars",
    statistics: Counting = "verdict",
    *,
    threads: int = 1,
    engine: EngineName | None = None,
) -> BattleResult:
    """Fights a battle.

    Args:
        warriors: who meets, 1 to 64; under ``survival`` the first meets any number of others.
        settings: the rules; None for the standard ones.
        positions: where the warriors are loaded, [round][warrior], and with it the number of rounds; None
            draws
            them: all arrangements equally likely (``pmars``), or as Digital Red Queen places them (the
                others).
        rounds: rounds to fight where `positions` does not say; P-space persists between them.
        seed: of the drawn positions.
        protocol: what the battle is about.
        statistics: ``verdict`` stops as soon as the outcome is certain; ``covered`` also counts processes
            and cells run; ``full`` also cells written.
        threads: battles fought at once under ``survival``.
        engine: which simulator; None takes the fastest one here. All agree.

    Returns:
        How it went.

    Raises:
        UsageError: the warriors do not fit the rules, each other or the positions.
    """
    settings = settings or Settings()
    if protocol not in get_args(Protocol):
        raise UsageError(f"there is no protocol {protocol!r}{nearest(protocol, get_args(Protocol))}")
    if statistics not in get_args(Counting):
        raise UsageError(f"there are no statistics {statistics!r}{nearest(statistics, get_args(Counting))}")
    most = MOST_OPPONENTS + 1 if protocol == "survival" else MOST_SEATS
    check_warriors(warriors, settings, most=most)
    lineups = _lineups(len(warriors), protocol)
    rows = None if positions is None else check_rows(positions, len(warriors))
    places = [
        _place(
            [warriors[i] for i in lineup],
            settings,
            _columns(rows, lineup),
            rounds,
            seed,
            protocol,
        )
        for lineup in lineups
    ]
    rules = Rules.of(
        settings, rotate=protocol == "pmars", stop=_stop(protocol, statistics), counting=statistics
    )
    counts = run(pack(warriors, lineups, places, rules), rules, threads=threads, engine=engine)
    return BattleResult(
        protocol=protocol,
        positions=_merged(places),
        results=_results(protocol, counts),
        scores=tuple(_scores(protocol, counts, settings.cycles).tolist()),
        counts=counts,
    )


def _lineups(count: int, protocol: Protocol) -> list[list[int]]:
    """Returns who meets whom."""
    if protocol == "survival" and count > 1:
        return [[0, opponent] for opponent in range(1, count)]
    return [list(range(count))]


def _columns(rows: Positions | None, lineup: Sequence[int]) -> Positions | None:
    """Returns the given positions of those that meet."""
    return None if rows is None else [[row[seat] for seat in lineup] for row in rows]


def _merged(places: Sequence[Positions]) -> Positions:
    """Returns the positions of all warriors, [round][warrior]. In pairs the first stands the same in each."""
    return [[*rows[0], *(row[1] for row in rows[1:])] for rows in zip(*places, strict=True)]


def _place(
    warriors: Sequence[Warrior],
    settings: Settings,
    given: Positions | None,
    rounds: int,
    seed: int,
    protocol: Protocol,
) -> Positions:
    """Returns where those that meet are loaded, [round][warrior]."""
    if given is not None:
        if rounds not in (1, len(given)):
            raise UsageError(f"{rounds} rounds are asked for and positions given for {len(given)}")
        return check_positions(given, warriors, settings)
    check_rounds(rounds)
    if protocol == "pmars":
        return placement.draw(warriors, settings, rounds, stream(seed, 0, "corewar.positions"))
    return placement.draw_drq(warriors, settings, rounds, seed)


def _stop(protocol: Protocol, statistics: Counting) -> Stop:
    """Returns when a round ends. Counts of a round that somebody cut short early would depend on when."""
    if protocol != "pmars":
        return "never"
    return "verdict" if statistics == "verdict" else "one_left"


def _results(protocol: Protocol, counts: Counts) -> list[list[int]]:
    if protocol != "survival" or counts.alive.shape[2] == 1:
        return points.results(counts.alive[0])
    pairs = [points.results(alive) for alive in counts.alive]
    first = [sum(pair[0][0] for pair in pairs), sum(pair[0][1] for pair in pairs)]
    return [first, *(other for _, other in pairs)]


def _scores(protocol: Protocol, counts: Counts, cycles: int) -> points.Scores:
    if protocol == "pmars":
        return points.pmars_points(counts.alive[0])
    if protocol == "drq":
        return points.drq_scores(counts.lifetime[0], cycles)
    return points.survival_scores(counts, cycles)
