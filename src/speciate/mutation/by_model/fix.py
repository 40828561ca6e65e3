"""Repair of a program that has no score."""

from __future__ import annotations

from speciate.mutation.by_model.operator import ModelOperator, whole_program
from speciate.patches import apply_full_text

FIX = ModelOperator("fix", apply_full_text, whole_program)
"""Mends the current program; asked for when no valid parent exists."""
