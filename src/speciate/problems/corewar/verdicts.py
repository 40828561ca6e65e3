"""How a warrior did against one opponent, and what it is told about all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Self

from speciate.problems.corewar.descriptors import Behaviour
from speciate.problems.corewar.mars.batch import Cycles
from speciate.problems.corewar.settings import Settings
from speciate.records import Scalar

MOST_NAMED: Final = 6
"""How many opponents one sentence names."""

LONGEST_NAME: Final = 40
"""Most characters of an opponent's name."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Rounds against one opponent, in pairs or in a common core.

    Attributes:
        opponent: its name, distinct among the opponents.
        wins: rounds in which the warrior outlived it.
        ties: rounds in which both lived equally long.
        losses: rounds in which the opponent lived longer.
        lived: mean share of the cycles that the warrior lived.
        opponent_lived: the same of the opponent.
    """

    opponent: str
    wins: int
    ties: int
    losses: int
    lived: float
    opponent_lived: float

    @classmethod
    def of(cls, opponent: str, mine: Cycles, theirs: Cycles, cycles: int) -> Self:
        """Judges rounds by how long each lived.

        Args:
            opponent: its name.
            mine: (rounds,) cycles that the warrior lived.
            theirs: (rounds,) cycles that the opponent lived.
            cycles: cycles of a round.
        """
        wins, losses = int((mine > theirs).sum()), int((mine < theirs).sum())
        return cls(
            opponent,
            wins,
            len(mine) - wins - losses,
            losses,
            float(mine.mean()) / cycles,
            float(theirs.mean()) / cycles,
        )

    def values(self) -> dict[str, Scalar]:
        """Returns what is measured, by name."""
        return {
            "wins": self.wins,
            "ties": self.ties,
            "losses": self.losses,
            "lived": self.lived,
            "opponent_lived": self.opponent_lived,
        }


def told(behaviour: Behaviour, verdicts: Sequence[Verdict], settings: Settings) -> str:
    """Returns what happened, in a few sentences that a model can learn from."""
    share = behaviour.lifetime / settings.cycles
    end = "to the end" if share == 1 else f"{share:.0%} of the battle ({behaviour.lifetime:,.0f} cycles)"
    sentences = [f"On average it lived {end}."]
    better = [verdict for verdict in verdicts if verdict.wins > verdict.losses]
    worse = [verdict for verdict in verdicts if verdict.wins < verdict.losses]
    even = [verdict for verdict in verdicts if verdict.wins == verdict.losses]
    for what, group in (("It outlives", better), ("It falls before", worse), ("It is even with", even)):
        if group:
            sentences.append(f"{what} {_named(group)}.")
    sentences.append(
        f"It started {behaviour.spawned:,.0f} further processes and ran code at {behaviour.covered:,.0f} of "
        f"the {settings.core_size:,} cells."
    )
    return " ".join(sentences)


def printable(name: str) -> str:
    """Returns a warrior's name as prompts and terminals may have it: others wrote it."""
    return "".join(filter(str.isprintable, " ".join(name.split())))[:LONGEST_NAME]


def _named(verdicts: Sequence[Verdict]) -> str:
    """Returns opponents with their rounds, those with most of them first."""
    clear = sorted(verdicts, key=lambda verdict: -abs(verdict.wins - verdict.losses))
    names = [f"{each.opponent} ({each.wins}:{each.losses})" for each in clear[:MOST_NAMED]]
    more = len(clear) - len(names)
    return ", ".join(names) + (f" and {more} more" if more else "")
