"""Which bandit divides the candidates among the proposers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from speciate.bandits.base import Bandit
from speciate.bandits.fixed import FixedBandit


class BanditConfig(BaseModel):
    """Settings of the choice among proposers.

    Attributes:
        kind: ``fixed`` draws by `weights`.
        weights: weight by proposer; one that is not named weighs 1.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: Literal["fixed"] = "fixed"
    weights: Mapping[str, float] = Field(default_factory=dict)


def build_bandit(config: BanditConfig, arms: Sequence[str]) -> Bandit:
    """Builds the bandit that `config` names.

    Raises:
        ConfigError: the settings do not fit the arms.
    """
    return FixedBandit(arms, config.weights)
