"""Nodes that play rounds and exchange champions. One node is Digital Red Queen, several are DEI.

Files that are easily taken for each other:

- ``merge.py`` scores elites in one company and keeps the best of each cell; ``merger.py`` does so for an
  ensemble in a folder, and keeps ``merged.json`` there.
- ``shared.py`` is one evaluator that several nodes use; ``sharing.py`` decides which champions a node takes.
- `Parcel` in ``messages.py`` is what is sent and how it is read; ``parcels.py`` makes a node's own.
- ``members.py`` says who should be in an ensemble; ``presence.py`` whether they lie in its folder.
- Nobody chooses a transport by name: ``ensemble.py`` opens a `Hub` for nodes of one process, and whoever
  calls `evolve_node` in ``joining.py`` brings one (``speciate node``: `Nats`).
"""

from speciate.ensembles.champions import past_champions
from speciate.ensembles.ensemble import (
    Ensemble,
    NodeEnd,
    Watch,
    evolve_ensemble,
    resume_ensemble,
)
from speciate.ensembles.exchange import Exchange
from speciate.ensembles.folders import ensemble_of, is_ensemble, node_folder, read_ensemble
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
from speciate.ensembles.members import members_of
from speciate.ensembles.merge import Memo, common_pool, merge, node_elites
from speciate.ensembles.merger import (
    elites_of,
    merge_nodes,
    open_histories,
    read_merged,
    write_merged,
)
from speciate.ensembles.node import evolve, resume
from speciate.ensembles.opponents import check_opponents, decide_company
from speciate.ensembles.presence import check_lost, check_nodes, missing_nodes, wrong_nodes
from speciate.ensembles.rounds import LAST_ROUND, RedQueenRounds
from speciate.ensembles.simulate import (
    Looked,
    Point,
    Scenario,
    Simulation,
    elites_at_the_end,
    look_again,
    simulate,
)
from speciate.ensembles.simulation import Churn, Partition, Spread, Weather, read_spread
from speciate.ensembles.transport import Address, Nats, read_address

__all__ = [
    "LAST_ROUND",
    "Address",
    "Churn",
    "Ensemble",
    "Exchange",
    "Looked",
    "Memo",
    "Nats",
    "NodeEnd",
    "NodeEvolution",
    "NodeRecord",
    "Partition",
    "Point",
    "RedQueenRounds",
    "Scenario",
    "Simulation",
    "Spread",
    "Watch",
    "Weather",
    "check_lost",
    "check_node",
    "check_nodes",
    "check_opponents",
    "common_pool",
    "decide_company",
    "elites_at_the_end",
    "elites_of",
    "ensemble_of",
    "evolve",
    "evolve_ensemble",
    "evolve_node",
    "is_ensemble",
    "is_node",
    "look_again",
    "members_of",
    "merge",
    "merge_nodes",
    "missing_nodes",
    "node_elites",
    "node_folder",
    "open_histories",
    "past_champions",
    "read_address",
    "read_ensemble",
    "read_merged",
    "read_node",
    "read_spread",
    "resume",
    "resume_ensemble",
    "resume_node",
    "simulate",
    "write_merged",
    "write_node",
    "wrong_nodes",
]
