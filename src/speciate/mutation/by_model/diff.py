"""Edits by SEARCH/REPLACE blocks."""

from __future__ import annotations

from speciate.mutation.by_model.operator import ModelOperator
from speciate.patches import apply_search_replace
from speciate.tasks import Task


def _answer(task: Task) -> str:
    return "one or more SEARCH/REPLACE blocks"


def _rules(task: Task) -> list[str]:
    names = task.spec.program.files
    if len(names) == 1:
        return []
    return [f"Write a line `file: NAME` before each block. The files are {', '.join(names)}."]


DIFF = ModelOperator("diff", apply_search_replace, _answer, whole=False, rules=_rules)
"""Focused edits of the current program."""
