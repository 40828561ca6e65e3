"""Who proposes next: a choice among proposers that learns from what they reached."""

from speciate.bandits.arms import ArmKind, Arms, arm_name
from speciate.bandits.base import Bandit
from speciate.bandits.config import BanditConfig, BanditKind, build_bandit
from speciate.bandits.cost_ucb import CostUCBBandit
from speciate.bandits.exp3 import Exp3Bandit
from speciate.bandits.fixed import FixedBandit
from speciate.bandits.rewards import Rewards, RewardScale
from speciate.bandits.thompson import ThompsonBandit
from speciate.bandits.ucb import UCBBandit

__all__ = [
    "ArmKind",
    "Arms",
    "Bandit",
    "BanditConfig",
    "BanditKind",
    "CostUCBBandit",
    "Exp3Bandit",
    "FixedBandit",
    "RewardScale",
    "Rewards",
    "ThompsonBandit",
    "UCBBandit",
    "arm_name",
    "build_bandit",
]
