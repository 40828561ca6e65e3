"""How a battle or tournament went, a row a warrior: data first, told by `run`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray

from speciate.problems.corewar.command.entrants import Entrant
from speciate.problems.corewar.mars import Counts
from speciate.problems.corewar.scoring import BattleResult, Tournament


@dataclass(frozen=True, slots=True)
class Usage:
    """What a warrior did with its time, means over all rounds of its battles.

    Attributes:
        spawned: processes started.
        covered: cells queued for execution.
        written: cells written.
    """

    spawned: float
    covered: float
    written: float


@dataclass(frozen=True, slots=True)
class Row:
    """How one warrior did.

    Attributes:
        name: what it calls itself.
        file: where it came from.
        author: who wrote it, or an empty string.
        length: its instructions.
        wins: rounds it survived alone; of a lone warrior, rounds it survived.
        ties: rounds it survived with others; of two warriors also rounds that both died in.
        losses: the other rounds.
        score: what that is worth, higher is better.
        lifetime: cycles survived, mean over all rounds of its battles; None if it was not counted.
        usage: what else it did, or None if it was not counted.
    """

    name: str
    file: str
    author: str
    length: int
    wins: int
    ties: int
    losses: int
    score: float
    lifetime: float | None
    usage: Usage | None

    def as_json(self) -> dict[str, object]:
        """Returns the row as JSON has it; what was not counted is left out."""
        fields = asdict(self)
        fields |= fields.pop("usage") or {}
        return {name: value for name, value in fields.items() if value is not None}


def rows_of_battle(entrants: Sequence[Entrant], fought: BattleResult, *, full: bool) -> list[Row]:
    """Returns a row for each warrior, in their order.

    Args:
        entrants: who fought.
        fought: how it went.
        full: whether everything was counted.
    """
    counts, count = fought.counts, len(entrants)
    battles, rounds, _ = counts.alive.shape
    lifetimes = _means(counts.lifetime)
    usages = _usages(counts) if full else [None] * count
    fates = [
        _fate(result, rounds * (1 if seat else battles), pair=count > 1)
        for seat, result in enumerate(fought.results)
    ]
    return [
        _row(entrant, fate, score, lifetime, usage)
        for entrant, fate, score, lifetime, usage in zip(
            entrants, fates, fought.scores, lifetimes, usages, strict=True
        )
    ]


def rows_of_tournament(entrants: Sequence[Entrant], fought: Tournament) -> list[Row]:
    """Returns a row for each warrior, best first."""
    return [
        _row(entrants[each.warrior], (each.wins, each.ties, each.losses), each.points, None, None)
        for each in fought.standings
    ]


def round_length(counts: Counts, number: int, cycles: int, *, until_one_left: bool) -> int:
    """Returns how many whole cycles a round of the first battle took, the one that ended it included.

    Args:
        counts: what was counted.
        number: which round, from 0.
        cycles: most cycles of a round.
        until_one_left: whether a round between several ends when one is left; else only when all are dead.
    """
    alive, lifetimes = counts.alive[0, number], counts.lifetime[0, number]
    least = 1 if until_one_left and len(alive) > 1 else 0
    if int(alive.sum()) > least:
        return cycles
    return min(cycles, int(lifetimes[alive == 0].max()) + 1)


def _row(
    entrant: Entrant,
    fate: tuple[int, int, int],
    score: float,
    lifetime: float | None,
    usage: Usage | None,
) -> Row:
    warrior, (wins, ties, losses) = entrant.warrior, fate
    return Row(
        name=entrant.name,
        file=entrant.file,
        author=warrior.author,
        length=len(warrior),
        wins=wins,
        ties=ties,
        losses=losses,
        score=score,
        lifetime=lifetime,
        usage=usage,
    )


def _fate(result: Sequence[int], rounds: int, *, pair: bool) -> tuple[int, int, int]:
    """Returns wins, ties and losses from a line of `BattleResult.results`.

    Args:
        result: ``[wins, ties]`` of one of two, else the rounds survived with 1, 2, … alive and those died in.
        rounds: rounds fought.
        pair: whether a line of two numbers is of the first form; of a lone warrior it is of the second.
    """
    wins, ties = result[0], result[1] if pair and len(result) == 2 else sum(result[1:-1])
    return wins, ties, rounds - wins - ties


def _usages(counts: Counts) -> list[Usage]:
    """Returns what each warrior did; in pairs the first one is in all battles, the others in one each."""
    means = (_means(each) for each in (counts.spawned, counts.covered, counts.written))
    return [Usage(*mean) for mean in zip(*means, strict=True)]


def _means(counted: NDArray[np.int64] | NDArray[np.int32]) -> list[float]:
    """Returns the mean of each warrior from (battles, rounds, seats)."""
    over_rounds = counted.mean(axis=1)
    return [float(over_rounds[:, 0].mean()), *map(float, over_rounds[:, 1:].ravel())]
