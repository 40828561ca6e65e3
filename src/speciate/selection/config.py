"""Settings of parent selection, and the policy they describe."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from speciate.records import Ordinal
from speciate.selection.base import ParentPolicy
from speciate.selection.beam import Beam
from speciate.selection.best_of_n import BestOfN
from speciate.selection.cells import Cells
from speciate.selection.hill_climb import HillClimb
from speciate.selection.power_law import PowerLaw
from speciate.selection.tournament import Tournament
from speciate.selection.uniform import Uniform
from speciate.selection.weighted import Scale, Weighted

PolicyName = Literal[
    "uniform", "hill_climb", "power_law", "weighted", "best_of_n", "beam", "tournament", "cells"
]


class SelectionConfig(BaseModel):
    """How a parent is drawn from an island.

    Attributes:
        policy: which policy; the fields below belong to the one they name.
        alpha: α of power_law: 0 is uniform, infinity is hill climbing.
        pressure: λ of weighted.
        scale: what weighted measures fitness in; ``none`` is the paper's form.
        beam_width: how many of the best take turns in beam.
        tournament_size: how many are drawn for tournament.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    policy: PolicyName = "weighted"
    alpha: float = Field(default=1.0, ge=0)
    pressure: float = Field(default=10.0, ge=0, allow_inf_nan=False)
    scale: Scale = "mad"
    beam_width: int = Field(default=5, ge=1)
    tournament_size: int = Field(default=3, ge=1)


def build_policy(config: SelectionConfig, *, initial: Ordinal = 0) -> ParentPolicy:
    """Returns the configured policy.

    Args:
        config: the settings.
        initial: ordinal of the initial program, for best_of_n.
    """
    match config.policy:
        case "uniform":
            return Uniform()
        case "hill_climb":
            return HillClimb()
        case "power_law":
            return PowerLaw(config.alpha)
        case "weighted":
            return Weighted(config.pressure, config.scale)
        case "best_of_n":
            return BestOfN(initial)
        case "beam":
            return Beam(config.beam_width)
        case "tournament":
            return Tournament(config.tournament_size)
        case "cells":
            return Cells()
