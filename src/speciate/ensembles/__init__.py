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
from speciate.ensembles.joining import (
    NodeEvolution,
    NodeRecord,
    check_node,
    evolve_node,
    is_node,
    read_node,
    resume_node,
    write_node,
)
from speciate.ensembles.node import evolve, resume
from speciate.ensembles.opponents import check_opponents, decide_company
from speciate.ensembles.rounds import LAST_ROUND, RedQueenRounds
from speciate.ensembles.transport import Address, Nats, read_address

__all__ = [
    "LAST_ROUND",
    "Address",
    "Ensemble",
    "Exchange",
    "Nats",
    "NodeEnd",
    "NodeEvolution",
    "NodeRecord",
    "RedQueenRounds",
    "check_node",
    "check_opponents",
    "decide_company",
    "evolve",
    "evolve_ensemble",
    "evolve_node",
    "is_ensemble",
    "is_node",
    "node_folder",
    "past_champions",
    "read_address",
    "read_ensemble",
    "read_node",
    "resume",
    "resume_ensemble",
    "resume_node",
    "write_node",
]
