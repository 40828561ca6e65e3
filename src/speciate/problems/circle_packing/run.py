"""Runs a candidate beside it, in the sandbox: calls `pack` and hands its answer on as arrays."""

from __future__ import annotations

from typing import Any  # a candidate may be anything and return anything

import numpy as np


def run(program: Any, case: Any) -> dict[str, Any]:
    """Returns ``centres`` of shape ``(n, 2)``, ``radii`` of shape ``(n,)`` and, for a rectangle, ``width``.

    Raises whatever the candidate raises, and ValueError or TypeError when its answer is not made of numbers.
    """
    answer = program.pack()
    parts = ("centres", "radii", "width")[: 3 if case["shape"] == "rectangle" else 2]
    if not isinstance(answer, (tuple, list)) or len(answer) != len(parts):
        raise TypeError(f"pack() must return {len(parts)} values: {', '.join(parts)}")
    return {name: np.asarray(value, dtype=np.float64) for name, value in zip(parts, answer, strict=True)}
