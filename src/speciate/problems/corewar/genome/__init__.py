"""Operators on Redcode: what evolves warriors without a model."""

from speciate.problems.corewar.genome.config import GenomeConfig, NumberName, OperatorName
from speciate.problems.corewar.genome.crossover import cross, crossed
from speciate.problems.corewar.genome.genome import Change, Genome
from speciate.problems.corewar.genome.opening import open_redcode
from speciate.problems.corewar.genome.operators import GENOME_OPERATORS, mutated
from speciate.problems.corewar.genome.proposer import RedcodeProposer
from speciate.problems.corewar.genome.scope import Scope
from speciate.problems.corewar.genome.text import genome_of, write

__all__ = [
    "GENOME_OPERATORS",
    "Change",
    "Genome",
    "GenomeConfig",
    "NumberName",
    "OperatorName",
    "RedcodeProposer",
    "Scope",
    "cross",
    "crossed",
    "genome_of",
    "mutated",
    "open_redcode",
    "write",
]
