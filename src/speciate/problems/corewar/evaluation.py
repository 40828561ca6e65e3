"""What a warrior is worth: it meets its context's opponents, and how that went becomes a `Result`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from speciate.errors import ScoreError, UsageError
from speciate.problems.corewar.descriptors import MEASURES, Behaviour
from speciate.problems.corewar.mars.batch import MOST_SEATS, Counts, Cycles
from speciate.problems.corewar.parameters import Conditions
from speciate.problems.corewar.reading import read
from speciate.problems.corewar.redcode import RedcodeError
from speciate.problems.corewar.scoring import BattleResult, battle
from speciate.problems.corewar.settings import Settings
from speciate.problems.corewar.verdicts import Verdict, printable, told
from speciate.problems.corewar.warrior import Warrior
from speciate.records import CaseResult, Context, Program, Result


def evaluate(program: Program, context: Context) -> Result:
    """Scores a warrior against the context's opponents. May be called from several threads at once.

    The score is that of the protocol, higher is better:

    - ``drq``: all meet in one core. N times the share of the cycles that the warrior has lived, where those
      alive in a cycle share it, averaged over the rounds; N for N warriors of whom the others die at once.
    - ``survival``: it meets each opponent alone. The sum over the opponents of the share of the cycles it
      lived, averaged over the rounds: 0 to the number of opponents.
    - ``pmars``: it meets each opponent alone. Mean points a round: 3 for a win, 1 for a tie, 0 for a loss.

    Without opponents it is the share of the cycles that it lives alone, under any protocol.

    Args:
        program: the candidate; its entry file is Redcode.
        context: opponents, and what `Conditions.json` wrote as settings.

    Raises:
        RedcodeError: the candidate does not assemble; being a ValueError it makes the candidate invalid.
        ScoreError: an opponent does not assemble, or so many cannot meet under these rules.
    """
    conditions = Conditions.from_json(context.settings)
    warrior = read(program.source, conditions.settings)
    opponents = [_opponent(each, conditions.settings) for each in context.opponents]
    _check_company(conditions, len(opponents))
    fought = _fought(warrior, opponents, conditions)
    behaviour = Behaviour(
        warrior,
        spawned=float(fought.counts.spawned[:, :, 0].mean()),
        covered=float(fought.counts.covered[:, :, 0].mean()),
        lifetime=float(fought.lifetimes.mean()),
    )
    verdicts = _verdicts(fought, opponents, conditions.settings)
    return _result(fought.score, behaviour, verdicts, conditions)


def _opponent(program: Program, settings: Settings) -> Warrior:
    try:
        return read(program.source, settings)
    except RedcodeError as error:
        raise ScoreError(f"an opponent does not assemble: {error}") from error


def most_opponents(conditions: Conditions) -> int | None:
    """Returns how many opponents even the longest candidate can meet at once, or None for any number."""
    if conditions.protocol != "drq":
        return None
    return min(MOST_SEATS, conditions.settings.core_size // conditions.settings.max_length) - 1


def _check_company(conditions: Conditions, opponents: int) -> None:
    """Refuses a company that some candidates could not meet; that would not be these candidates' fault."""
    settings, most = conditions.settings, most_opponents(conditions)
    if most is not None and opponents > most:
        raise ScoreError(
            f"a core of {settings.core_size} cells has no room for {opponents} opponents and a warrior of up "
            f"to {settings.max_length} instructions: protocol drq takes at most {most} opponents here. Set "
            "ensemble.opponents.max, or take protocol survival, in which warriors meet in pairs"
        )


@dataclass(frozen=True, slots=True)
class _Fought:
    """What all battles of a candidate came to.

    Attributes:
        score: as the protocol has it.
        counts: what the simulator counted; the candidate is in seat 0 of every battle.
        lifetimes: (battles, rounds) cycles that the candidate lived.
        others: (opponents, rounds) cycles that each opponent lived.
    """

    score: float
    counts: Counts
    lifetimes: Cycles
    others: Cycles


def _fought(warrior: Warrior, opponents: Sequence[Warrior], conditions: Conditions) -> _Fought:
    settings = conditions.settings
    if not opponents:
        counts = _battle([warrior], conditions).counts
        lived = counts.lifetime[:, :, 0]
        return _Fought(float(lived.mean()) / settings.cycles, counts, lived, lived[:0])
    if conditions.protocol == "pmars":
        pairs = [_battle([warrior, opponent], conditions) for opponent in opponents]
        counts = Counts.joined([pair.counts for pair in pairs])
        score = sum(pair.scores[0] for pair in pairs) / (len(pairs) * settings.rounds)
    else:
        melee = _battle([warrior, *opponents], conditions)
        counts, score = melee.counts, melee.scores[0]
    seats = counts.lifetime
    others = seats[0, :, 1:].T if conditions.protocol == "drq" else seats[:, :, 1]
    return _Fought(score, counts, seats[:, :, 0], others)


def _battle(warriors: Sequence[Warrior], conditions: Conditions) -> BattleResult:
    try:
        return battle(
            warriors,
            conditions.settings,
            rounds=conditions.settings.rounds,
            seed=conditions.seed,
            protocol=conditions.protocol,
            statistics="covered",
        )
    except UsageError as error:  # the company has been checked: what is left is not the candidate's fault
        raise ScoreError(str(error)) from error


def _verdicts(fought: _Fought, opponents: Sequence[Warrior], settings: Settings) -> tuple[Verdict, ...]:
    """Returns how it went against each opponent, under a name of its own."""
    own = np.broadcast_to(fought.lifetimes, fought.others.shape)
    names: list[str] = []
    for number, opponent in enumerate(opponents, 1):
        name = printable(opponent.name) or f"opponent {number}"
        names.append(name if name not in names else f"{name} ({number})")
    return tuple(
        Verdict.of(name, mine, theirs, settings.cycles)
        for name, mine, theirs in zip(names, own, fought.others, strict=True)
    )


def _result(
    score: float, behaviour: Behaviour, verdicts: Sequence[Verdict], conditions: Conditions
) -> Result:
    settings, warrior = conditions.settings, behaviour.warrior
    return Result(
        objectives=(score,),
        public={
            "wins": sum(verdict.wins for verdict in verdicts),
            "ties": sum(verdict.ties for verdict in verdicts),
            "losses": sum(verdict.losses for verdict in verdicts),
            "lived": behaviour.lifetime / settings.cycles,
            "spawned": behaviour.spawned,
            "covered": behaviour.covered,
            "length": len(warrior),
            "opcodes": len(warrior.opcodes),
        },
        feedback=told(behaviour, verdicts, settings),
        descriptor=tuple(float(MEASURES[axis].value(behaviour)) for axis in conditions.axes),
        cases=tuple(CaseResult(verdict.opponent, verdict.values()) for verdict in verdicts),
    )
