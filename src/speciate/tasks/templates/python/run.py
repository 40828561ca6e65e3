"""Runs a candidate on one case, inside the sandbox. What it returns is judged outside, by score.py."""

from __future__ import annotations

from types import ModuleType
from typing import Any


def run(program: ModuleType, case: dict[str, Any]) -> list[float]:
    """Returns the candidate's predictions.

    Args:
        program: the candidate's entry file, imported.
        case: the data of one case of score.py.
    """
    return [float(program.period(angle)) for angle in case["angles"]]
