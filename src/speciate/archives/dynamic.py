"""Dynamic islands: a search that stagnates gets one more place to begin from."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from speciate.archives.config import DynamicConfig
from speciate.archives.islands import Population
from speciate.records import Member


def island_due(config: DynamicConfig, stale: int, islands: int) -> bool:
    """Says whether one more island opens.

    Args:
        config: the settings.
        stale: candidates placed since the last new best, or since an island was opened if that is later.
        islands: how many islands there are by now.
    """
    return config.stagnation is not None and stale >= config.stagnation and islands < config.most


def decide_settlers(
    config: DynamicConfig, population: Population, initial: Member | None, rng: np.random.Generator
) -> Sequence[Member]:
    """Says who is copied to a new island: one member, or nobody if there is none. Changes nothing.

    Copies are the same candidate living in one more place: they are issued no ordinal and counted nowhere,
    and they may be outdone and may migrate like everybody else.

    Args:
        config: the settings.
        population: who lives where.
        initial: the initial program in the present epoch, or None if it has no score there.
        rng: the chance for a random occupant.
    """
    match config.seed:
        case "initial":
            return [] if initial is None else [initial]
        case "best":
            best = population.best()
            return [] if best is None else [best]
        case "random":
            occupants = population.occupants()
            return [occupants[int(rng.integers(len(occupants)))]] if occupants else []
