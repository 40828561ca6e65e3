"""What a battle is worth: protocols over the simulator's counts."""

from speciate.problems.corewar.mars import CoreState, Event
from speciate.problems.corewar.scoring.battles import BattleResult, Protocol, battle
from speciate.problems.corewar.scoring.states import run_state, trace
from speciate.problems.corewar.scoring.tournament import (
    Generality,
    Standing,
    Tournament,
    generality,
    tournament,
)

__all__ = [
    "BattleResult",
    "CoreState",
    "Event",
    "Generality",
    "Protocol",
    "Standing",
    "Tournament",
    "battle",
    "generality",
    "run_state",
    "tournament",
    "trace",
]
