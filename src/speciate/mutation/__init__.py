"""Proposers: what turns a parent into a new program."""

from speciate.mutation.attempts import AttemptsConfig
from speciate.mutation.base import Assignment, Proposer
from speciate.mutation.mixture import CROSSOVER, FIX, MixtureConfig, draw_operator

__all__ = ["CROSSOVER", "FIX", "Assignment", "AttemptsConfig", "MixtureConfig", "Proposer", "draw_operator"]
