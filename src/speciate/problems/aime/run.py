"""Runs a candidate in the sandbox: lets its agent solve one problem with the model it may ask."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any  # a candidate may be anything and return anything

LONGEST = 20_000
"""Characters of an answer that are handed on: its end, where the box is."""


def run(program: Any, case: Any, query: Callable[..., str]) -> dict[str, Any]:
    """Returns what the agent said as ``text``.

    A model that gave no answer, where the agent does not care for it itself, leaves the problem without an
    answer and the candidate unharmed. Whatever else the agent raises, passes through, and its answer must be
    a text.
    """
    try:
        said = program.Agent(query).solve(case["problem"])
    except ConnectionError:
        return {"text": ""}
    if not isinstance(said, str):
        raise TypeError(f"solve() must return a str, not {type(said).__name__}")
    return {"text": said[-LONGEST:]}
