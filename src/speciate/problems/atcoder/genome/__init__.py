"""Genetic operators on C++ by its syntax tree: what evolves contest programs without a model."""

from speciate.problems.atcoder.genome.proposer import CppProposer, open_cpp

__all__ = ["CppProposer", "open_cpp"]
