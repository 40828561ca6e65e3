"""Proposers: what turns a parent into a new program."""

from speciate.mutation.attempts import AttemptsConfig
from speciate.mutation.base import Assignment, Proposer
from speciate.mutation.by_model import ModelProposer, SamplingConfig
from speciate.mutation.context import ContextConfig
from speciate.mutation.genetic import (
    GeneticConfig,
    GeneticProposer,
    Number,
    Reason,
    Sites,
    SourceFile,
    Span,
    Statement,
    Symbol,
    mutable_spans,
)
from speciate.mutation.mixture import CROSSOVER, FIX, NEW, MixtureConfig, draw_operator
from speciate.mutation.named import is_named, open_proposer, proposer_names, proposer_origin
from speciate.mutation.phrasings import Phrasing, check_phrasings, draw_phrasing, phrasing_names
from speciate.mutation.prompts import prompt_for, prompt_identities

__all__ = [
    "CROSSOVER",
    "FIX",
    "NEW",
    "Assignment",
    "AttemptsConfig",
    "ContextConfig",
    "GeneticConfig",
    "GeneticProposer",
    "MixtureConfig",
    "ModelProposer",
    "Number",
    "Phrasing",
    "Proposer",
    "Reason",
    "SamplingConfig",
    "Sites",
    "SourceFile",
    "Span",
    "Statement",
    "Symbol",
    "check_phrasings",
    "draw_operator",
    "draw_phrasing",
    "is_named",
    "mutable_spans",
    "open_proposer",
    "phrasing_names",
    "prompt_for",
    "prompt_identities",
    "proposer_names",
    "proposer_origin",
]
