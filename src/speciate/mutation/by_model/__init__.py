"""Mutation by asking a language model."""

from speciate.mutation.by_model.operator import ModelOperator
from speciate.mutation.by_model.proposer import OPERATORS, ModelProposer
from speciate.mutation.by_model.sampling import Effort, SamplingConfig

__all__ = ["OPERATORS", "Effort", "ModelOperator", "ModelProposer", "SamplingConfig"]
