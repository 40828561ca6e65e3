"""Proposers: what turns a parent into a new program."""

from speciate.mutation.attempts import AttemptsConfig
from speciate.mutation.base import Assignment, Proposer
from speciate.mutation.by_model import ModelProposer, SamplingConfig
from speciate.mutation.context import ContextConfig
from speciate.mutation.genetic import GeneticConfig, GeneticProposer
from speciate.mutation.mixture import CROSSOVER, FIX, MixtureConfig, draw_operator
from speciate.mutation.prompts import prompt_versions

__all__ = [
    "CROSSOVER",
    "FIX",
    "Assignment",
    "AttemptsConfig",
    "ContextConfig",
    "GeneticConfig",
    "GeneticProposer",
    "MixtureConfig",
    "ModelProposer",
    "Proposer",
    "SamplingConfig",
    "draw_operator",
    "prompt_versions",
]
