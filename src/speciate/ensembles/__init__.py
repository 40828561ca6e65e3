"""Nodes that play rounds and exchange champions. This far: one node, which is Digital Red Queen."""

from speciate.ensembles.champions import past_champions
from speciate.ensembles.node import evolve, resume
from speciate.ensembles.opponents import check_opponents, decide_company
from speciate.ensembles.rounds import LAST_ROUND, RedQueenRounds

__all__ = [
    "LAST_ROUND",
    "RedQueenRounds",
    "check_opponents",
    "decide_company",
    "evolve",
    "past_champions",
    "resume",
]
