"""Which bandit divides the candidates among the proposers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from speciate.bandits.arms import ArmKind
from speciate.bandits.base import Bandit
from speciate.bandits.cost_ucb import CostUCBBandit
from speciate.bandits.exp3 import Exp3Bandit
from speciate.bandits.fixed import FixedBandit
from speciate.bandits.rewards import RewardScale
from speciate.bandits.thompson import ThompsonBandit
from speciate.bandits.ucb import UCBBandit
from speciate.errors import ConfigError

BanditKind = Literal["fixed", "uniform", "ucb", "cost_ucb", "thompson", "exp3"]


class BanditConfig(BaseModel):
    """Settings of the choice among proposers.

    Attributes:
        kind: ``fixed`` draws by `weights`, ``uniform`` evenly; ``ucb`` (UCB1, as in ShinkaEvolve),
            ``cost_ucb`` (UCB1 per dollar), ``thompson`` and ``exp3`` learn from what candidates reached.
        arms: what is chosen: ``proposers`` (the operator is drawn by the weights of `mutation`),
            ``operators`` (any proposer that has it) or ``pairs`` of both.
        weights: weight by arm for kind fixed; one that is not named weighs 1.
        coefficient: how much kinds ucb and cost_ucb explore; 0 never again after the first pull of each arm.
        reward_scale: ``none`` takes gains in score as they are, as in ShinkaEvolve; ``mad`` in units of their
            median absolute deviation.
        exploration: share that kind exp3 spreads evenly.
        cost_weight: what kind cost_ucb divides by: cost to this power; 0 is UCB1.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: BanditKind = "fixed"
    arms: ArmKind = "proposers"
    weights: Mapping[str, float] = Field(default_factory=dict)
    coefficient: float = Field(default=1.0, ge=0, allow_inf_nan=False)
    reward_scale: RewardScale = "none"
    exploration: float = Field(default=0.1, gt=0, le=1)
    cost_weight: float = Field(default=1.0, ge=0, le=10)


def build_bandit(config: BanditConfig, arms: Sequence[str]) -> Bandit:
    """Builds the bandit that `config` names.

    Raises:
        ConfigError: the settings do not fit the arms, or each other.
    """
    if config.weights and config.kind != "fixed":
        raise ConfigError(f"bandit.weights are for bandit.kind 'fixed', this is {config.kind!r}: unset one")
    scale = config.reward_scale
    match config.kind:
        case "fixed" | "uniform":
            return FixedBandit(arms, config.weights)
        case "ucb":
            return UCBBandit(arms, coefficient=config.coefficient, scale=scale)
        case "cost_ucb":
            return CostUCBBandit(arms, coefficient=config.coefficient, scale=scale, weight=config.cost_weight)
        case "thompson":
            return ThompsonBandit(arms, scale=scale)
        case "exp3":
            return Exp3Bandit(arms, exploration=config.exploration, scale=scale)
