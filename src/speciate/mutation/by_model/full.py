"""Full rewrites."""

from __future__ import annotations

from speciate.mutation.by_model.operator import ModelOperator, whole_program
from speciate.patches import apply_full_text

FULL = ModelOperator("full", apply_full_text, whole_program)
"""Rewrites whatever may change of the current program."""
