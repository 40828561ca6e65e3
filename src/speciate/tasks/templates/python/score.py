"""Judges what candidates answered. Runs outside the sandbox and never sees their code.

`data` comes from a candidate: expect anything.
"""

from __future__ import annotations

import math
from typing import Any


def cases(context: Any) -> list[dict[str, Any]]:
    """Returns the cases a candidate is run on: small swings and large ones.

    Args:
        context: has `.settings` (the task's parameters), `.seeds` and `.opponents`.
    """
    points = int(context.settings["points"])
    spans = {"small": (0.0, 1.5), "large": (1.5, 3.0)}
    return [
        {"name": name, "data": {"angles": [low + (high - low) * i / (points - 1) for i in range(points)]}}
        for name, (low, high) in spans.items()
    ]


def score(case: dict[str, Any], data: Any) -> dict[str, Any]:
    """Judges one case: the worst relative error, and where it is.

    Args:
        case: one of `cases`, whole.
        data: what `run` returned for it.
    """
    angles = case["data"]["angles"]
    if not isinstance(data, list) or len(data) != len(angles):
        return {"values": {}, "valid": False, "feedback": f"expected {len(angles)} numbers"}
    if not all(isinstance(value, float) and math.isfinite(value) for value in data):
        return {"values": {}, "valid": False, "feedback": "every prediction must be a finite number"}
    errors = [abs(value / true_period(angle) - 1.0) for value, angle in zip(data, angles, strict=True)]
    worst = max(range(len(errors)), key=errors.__getitem__)
    values = {"error": errors[worst], "angle": angles[worst]}
    return {
        "values": values,
        "valid": True,
        "feedback": f"worst at {angles[worst]:.2f} rad: {errors[worst]:.1e}",
    }


def aggregate(results: list[dict[str, Any]]) -> dict[str, Any]:
    """Turns the judged cases into the objectives, in their own direction.

    `public` metrics reach prompts, `private` ones never do.
    """
    if not all(result["valid"] for result in results):
        return {"objectives": {}, "valid": False}  # the feedback of each case is told anyway
    worst = max(results, key=lambda result: float(result["values"]["error"]))
    return {
        "objectives": {"digits": -math.log10(max(worst["values"]["error"], 1e-15))},
        "public": {f"digits_{r['case']}": -math.log10(max(r["values"]["error"], 1e-15)) for r in results},
        "private": {},
        "feedback": "\n".join(f"{result['case']}: {result['feedback']}" for result in results),
        "descriptor": {"worst_angle": worst["values"]["angle"]},
    }


def true_period(angle: float) -> float:
    """Returns the exact relative period: 1 over the arithmetic-geometric mean of 1 and cos(angle / 2)."""
    a, b = 1.0, math.cos(angle / 2)
    for _ in range(8):
        a, b = (a + b) / 2, math.sqrt(a * b)
    return 1.0 / a
