"""Genetic operators: proposers that need no model."""

from speciate.mutation.genetic.config import GeneticConfig
from speciate.mutation.genetic.edits import Span
from speciate.mutation.genetic.proposer import GeneticProposer, Reason, SourceFile, mutable_spans
from speciate.mutation.genetic.sites import Number, Sites, Statement, Symbol

__all__ = [
    "GeneticConfig",
    "GeneticProposer",
    "Number",
    "Reason",
    "Sites",
    "SourceFile",
    "Span",
    "Statement",
    "Symbol",
    "mutable_spans",
]
