"""Axes of behaviour: what is measured of a warrior, and where the bins of a map begin."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from speciate.problems.corewar.settings import Settings
from speciate.problems.corewar.warrior import Warrior

AxisName = Literal["tsp", "time_space", "mc", "uo", "pl"]


@dataclass(frozen=True, slots=True)
class Behaviour:
    """What is known of a warrior after its battles; means are over all of its rounds.

    Attributes:
        warrior: the warrior.
        spawned: mean number of processes it added to those it began with: each successful SPL counts.
        covered: mean number of cells that one of its processes was at or was about to run.
        lifetime: mean number of cycles it lived.
    """

    warrior: Warrior
    spawned: float
    covered: float
    lifetime: float


@dataclass(frozen=True, slots=True)
class Measure:
    """One axis.

    Attributes:
        about: what it is, in a few words.
        value: measures a warrior.
        edges: where bins begin under Digital Red Queen's rules; a value on an edge lies in the bin above.
        scale: by what the edges grow from those rules to others.
    """

    about: str
    value: Callable[[Behaviour], float]
    edges: tuple[float, ...]
    scale: Callable[[Settings], float]

    def edges_for(self, settings: Settings) -> tuple[float, ...]:
        """Returns the edges under these rules; a small core can fill as many bins as a large one."""
        return tuple(edge * self.scale(settings) for edge in self.edges)


def _unscaled(settings: Settings) -> float:
    return 1.0


def _by_core(settings: Settings) -> float:
    return settings.core_size / 8000


def _by_cycles(settings: Settings) -> float:
    return settings.cycles / 80_000


def _by_length(settings: Settings) -> float:
    return settings.max_length / 100


MEASURES: Final[Mapping[AxisName, Measure]] = {
    "tsp": Measure("processes spawned", lambda b: b.spawned, (1, 10, 100, 1000, 10_000), _by_cycles),
    "time_space": Measure(
        "code length times mean lifetime",
        lambda b: len(b.warrior) * b.lifetime,
        (10_000, 50_000, 200_000, 800_000, 3_200_000),
        lambda settings: _by_length(settings) * _by_cycles(settings),
    ),
    "mc": Measure("cells covered", lambda b: b.covered, (10, 100, 500, 1000, 4000), _by_core),
    "uo": Measure("unique opcodes", lambda b: len(b.warrior.opcodes), (4, 6, 8, 10, 14), _unscaled),
    "pl": Measure("code length", lambda b: len(b.warrior), (5, 12, 20, 35, 60), _by_length),
}
"""``tsp``, ``mc``, ``uo`` and ``pl`` with the edges of Digital Red Queen (Kumar 2026,
https://arxiv.org/abs/2601.03335); ``time_space`` is the first axis of DEI (https://arxiv.org/abs/2605.27130)
as its text has it, with edges of our own: from five instructions that live 2,000 cycles to forty that live
the whole battle."""
