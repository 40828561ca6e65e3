"""Programs from nothing."""

from __future__ import annotations

from speciate.mutation.by_model.operator import ModelOperator, whole_program
from speciate.patches import apply_full_text

NEW = ModelOperator("new", apply_full_text, whole_program, fresh=True)
"""Asks for a program without showing one; drawn only where the settings give it a weight."""
