"""What a simulated ensemble lives in: a network that loses and delays, and nodes that come and go."""

from speciate.ensembles.simulation.account import Account, Snapshot, account_of, publications
from speciate.ensembles.simulation.churn import Churn, Lives
from speciate.ensembles.simulation.memo import MemoEvaluator
from speciate.ensembles.simulation.network import Network, Partition, Weather
from speciate.ensembles.simulation.spread import Spread, chances, read_spread

__all__ = [
    "Account",
    "Churn",
    "Lives",
    "MemoEvaluator",
    "Network",
    "Partition",
    "Snapshot",
    "Spread",
    "Weather",
    "account_of",
    "chances",
    "publications",
    "read_spread",
]
