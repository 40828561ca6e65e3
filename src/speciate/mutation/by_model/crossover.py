"""Combination of two programs."""

from __future__ import annotations

from speciate.mutation.by_model.operator import ModelOperator, whole_program
from speciate.patches import apply_full_text

CROSSOVER = ModelOperator("crossover", apply_full_text, whole_program, partner=True)
"""Rewrites the current program so that it takes up what is good in a second parent."""
