"""Who proposes next: a choice among proposers that learns from what they reached."""

from speciate.bandits.base import Bandit
from speciate.bandits.config import BanditConfig, build_bandit
from speciate.bandits.fixed import FixedBandit

__all__ = ["Bandit", "BanditConfig", "FixedBandit", "build_bandit"]
