"""Genetic operators: proposers that need no model."""

from speciate.mutation.genetic.config import GeneticConfig
from speciate.mutation.genetic.proposer import GeneticProposer

__all__ = ["GeneticConfig", "GeneticProposer"]
