"""Nodes that play rounds and exchange champions. One node is Digital Red Queen, several are DEI."""

from speciate.ensembles.champions import past_champions
from speciate.ensembles.ensemble import (
    Ensemble,
    NodeEnd,
    evolve_ensemble,
    is_ensemble,
    node_folder,
    read_ensemble,
    resume_ensemble,
)
from speciate.ensembles.exchange import Exchange
from speciate.ensembles.node import evolve, resume
from speciate.ensembles.opponents import check_opponents, decide_company
from speciate.ensembles.rounds import LAST_ROUND, RedQueenRounds

__all__ = [
    "LAST_ROUND",
    "Ensemble",
    "Exchange",
    "NodeEnd",
    "RedQueenRounds",
    "check_opponents",
    "decide_company",
    "evolve",
    "evolve_ensemble",
    "is_ensemble",
    "node_folder",
    "past_champions",
    "read_ensemble",
    "resume",
    "resume_ensemble",
]
