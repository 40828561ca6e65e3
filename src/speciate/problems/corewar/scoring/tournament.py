"""Many battles among many: a round robin, a common melee, and how general a warrior is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal, get_args

import numpy as np

from speciate.errors import UsageError, nearest
from speciate.problems.corewar.mars import MOST_SEATS, EngineName, Flags, Rules, pack, run
from speciate.problems.corewar.scoring import placement, points
from speciate.problems.corewar.scoring.battles import MOST_OPPONENTS, battle
from speciate.problems.corewar.scoring.company import Positions, check_rounds, check_warriors
from speciate.problems.corewar.settings import Settings
from speciate.problems.corewar.warrior import Warrior
from speciate.seeds import stream

Meeting = Literal["pairs", "melee"]
"""``pairs``: each meets each other, two at a time. ``melee``: all meet in one core."""


@dataclass(frozen=True, slots=True)
class Record:
    """Rounds won, tied and lost."""

    wins: int
    ties: int
    losses: int


@dataclass(frozen=True, slots=True)
class Standing:
    """How one warrior did.

    Attributes:
        warrior: its index among those given.
        name: its name, or ``warrior`` and its number.
        wins: rounds it survived alone.
        ties: rounds it survived with others.
        losses: the other rounds.
        points: points of pMARS over all rounds: 3 for a win and 1 for a survived tie in pairs,
            (W·W − 1) / S rounded down for each of S survivors in a melee of W.
    """

    warrior: int
    name: str
    wins: int
    ties: int
    losses: int
    points: float


@dataclass(frozen=True, slots=True)
class Tournament:
    """How a tournament went.

    Attributes:
        rounds: rounds of each battle.
        standings: all warriors, best first; equal points in the order they were given.
    """

    rounds: int
    standings: tuple[Standing, ...]

    def table(self) -> str:
        """Returns the standings as text, one warrior a line."""
        width = max(len("warrior"), *(len(row.name) for row in self.standings))
        head = f"{'':>3}  {'warrior':<{width}}  {'won':>6}  {'tied':>6}  {'lost':>6}  {'points':>8}"
        rows = (
            f"{place:>3}  {row.name:<{width}}"
            f"  {row.wins:>6}  {row.ties:>6}  {row.losses:>6}  {row.points:>8g}"
            for place, row in enumerate(self.standings, 1)
        )
        return "\n".join((head, *rows)) + "\n"


@dataclass(frozen=True, slots=True)
class Generality:
    """How a warrior does against others, one to one.

    Attributes:
        against: rounds won, tied and lost against each opponent.
    """

    against: tuple[Record, ...]

    @property
    def share(self) -> float:
        """Share of the opponents that it beats or ties: against whom it wins at least as often as it
        loses."""
        return sum(record.wins >= record.losses for record in self.against) / len(self.against)


def tournament(
    warriors: Sequence[Warrior],
    settings: Settings | None = None,
    rounds: int = 1,
    seed: int = 0,
    *,
    meeting: Meeting = "pairs",
    threads: int = 1,
    engine: EngineName | None = None,
) -> Tournament:
    """Lets warriors compete.

    Args:
        warriors: at least two.
        settings: the rules; None for the standard ones.
        rounds: rounds of each battle.
        seed: of the positions, which are drawn for each pair anew.
        meeting: two at a time, or all at once.
        threads: battles fought at once.
        engine: which simulator; None takes the fastest one here.

    Raises:
        UsageError: the warriors do not fit the rules or each other.
    """
    settings = settings or Settings()
    if meeting not in get_args(Meeting):
        raise UsageError(f"there is no meeting {meeting!r}{nearest(meeting, get_args(Meeting))}")
    check_warriors(warriors, settings, most=MOST_SEATS if meeting == "melee" else MOST_OPPONENTS)
    if len(warriors) < 2:
        raise UsageError("a tournament needs at least two warriors; got one")
    if meeting == "melee":
        everyone = list(range(len(warriors)))
        fought = battle(warriors, settings, None, rounds, seed, threads=threads, engine=engine)
        return _ranked(warriors, rounds, [everyone], fought.counts.alive)
    pairs = [list(pair) for pair in combinations(range(len(warriors)), 2)]
    return _ranked(warriors, rounds, pairs, _meet(warriors, pairs, settings, rounds, seed, threads, engine))


def generality(
    warrior: Warrior,
    opponents: Sequence[Warrior],
    settings: Settings | None = None,
    rounds: int = 1,
    seed: int = 0,
    *,
    threads: int = 1,
    engine: EngineName | None = None,
) -> Generality:
    """Returns how a warrior does against each of the opponents, one to one, under pMARS's rules.

    Args:
        warrior: the one that is measured.
        opponents: at least one.
        settings: the rules; None for the standard ones.
        rounds: rounds against each.
        seed: of the positions, which depend on the opponent's place and on nothing about the warrior but its
            length: two warriors are measured in the same places.
        threads: battles fought at once.
        engine: which simulator; None takes the fastest one here.

    Raises:
        UsageError: there is no opponent, or the warriors do not fit the rules.
    """
    settings = settings or Settings()
    if not opponents:
        raise UsageError("generality needs at least one opponent; got none")
    company = [warrior, *opponents]
    check_warriors(company, settings, most=MOST_OPPONENTS + 1)
    pairs = [[0, number] for number in range(1, len(company))]
    fought = _meet(company, pairs, settings, rounds, seed, threads, engine)
    return Generality(tuple(_record(alive) for alive in fought))


def _meet(
    warriors: Sequence[Warrior],
    pairs: list[list[int]],
    settings: Settings,
    rounds: int,
    seed: int,
    threads: int,
    engine: EngineName | None,
) -> Flags:
    """Returns who was alive at the end, (pairs, rounds, 2)."""
    check_rounds(rounds)
    rules = Rules.of(settings, stop="verdict")
    positions: list[Positions] = [
        placement.draw(
            [warriors[i] for i in pair], settings, rounds, stream(seed, number, "corewar.positions")
        )
        for number, pair in enumerate(pairs)
    ]
    return run(pack(warriors, pairs, positions, rules), rules, threads=threads, engine=engine).alive


def _record(alive: Flags) -> Record:
    """Returns the rounds won, tied and lost by the first of two, (rounds, 2)."""
    (wins, ties), _ = points.results(alive)
    return Record(wins, ties, len(alive) - wins - ties)


def _ranked(warriors: Sequence[Warrior], rounds: int, lineups: list[list[int]], alive: Flags) -> Tournament:
    """Returns the standings of battles between the line-ups, from (battles, rounds, seats)."""
    sums = np.zeros((len(warriors), 4))  # wins, ties, losses, points
    for lineup, lived in zip(lineups, alive, strict=True):
        lone = lived.sum(axis=1) == 1
        for seat, (index, score) in enumerate(zip(lineup, points.pmars_points(lived), strict=True)):
            survived = lived[:, seat] == 1
            won, tied = int((survived & lone).sum()), int((survived & ~lone).sum())
            sums[index] += (won, tied, rounds - won - tied, score)
    order = sorted(range(len(warriors)), key=lambda index: (-sums[index, 3], index))
    return Tournament(
        rounds, tuple(_standing(index, warriors[index], sums[index].tolist()) for index in order)
    )


def _standing(index: int, warrior: Warrior, sums: Sequence[float]) -> Standing:
    won, tied, lost, score = sums
    return Standing(index, warrior.name or f"warrior {index}", int(won), int(tied), int(lost), score)
