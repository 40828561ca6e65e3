"""Scores what a candidate returned, outside the sandbox: the sum of the radii of a valid packing."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any  # answers come from untrusted code and may be anything

import numpy as np

from speciate.problems.circle_packing.verify import Packing, Verifier, explain, violations

TOUCH = 1e-3
"""A circle touches the border when it is nearer to it than this."""


def cases(context: Any) -> list[dict[str, Any]]:
    """Returns the only case; its data are the parameters."""
    settings = context.settings
    data = {key: settings[key] for key in ("n", "shape", "verifier")}
    return [{"name": f"{data['shape']}-{data['n']}", "data": data}]


def score(case: Any, data: Any) -> dict[str, Any]:
    """Checks one answer. Never raises, whatever `data` is.

    Args:
        case: one of `cases`.
        data: what `run` returned.
    """
    wanted = case["data"]
    packing = read(data, int(wanted["n"]), wanted["shape"])
    if isinstance(packing, str):
        return {"values": {}, "valid": False, "feedback": packing}
    verifier: Verifier = wanted["verifier"]
    found = violations(packing, verifier)
    if found:
        return {"values": {}, "valid": False, "feedback": explain(found)}
    return {"values": measure(packing, verifier), "valid": True, "feedback": ""}


def aggregate(results: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Turns the only case's values into the objective, the public metrics and the descriptor."""
    if not all(result["valid"] for result in results):
        return {"objectives": {}, "valid": False}  # the case's own feedback says why
    values = results[0]["values"]
    exact = {key: values[key] for key in ("exact_valid", "exact_sum_radii") if key in values}
    return {
        "objectives": {"sum_radii": values["sum_radii"]},
        "public": {key: values[key] for key in ("sum_radii", "smallest_radius", "largest_radius")} | exact,
        "descriptor": {key: values[key] for key in ("radius_spread", "border_share")},
        "extra": exact,
    }


def read(data: Any, n: int, shape: str) -> Packing | str:
    """Returns the packing that `data` describes, or what is wrong with its form."""
    try:
        centres = np.asarray(data["centres"], dtype=np.float64)
        radii = np.asarray(data["radii"], dtype=np.float64)
        width = float(data["width"]) if shape == "rectangle" else 1.0
    except (KeyError, IndexError, TypeError, ValueError, OverflowError) as error:
        return f"The answer must hold centres, radii and (for a rectangle) a width, all numbers: {error}"
    if centres.shape != (n, 2) or radii.shape != (n,):
        return (
            f"Expected shapes ({n}, 2) and ({n},) of centres and radii, got {centres.shape}, {radii.shape}."
        )
    bad = np.flatnonzero(~(np.isfinite(centres).all(axis=1) & np.isfinite(radii)))
    if len(bad) or not math.isfinite(width):
        return f"NaN or infinite numbers in circle(s) {bad[:10].tolist()}, width {width!r}."
    return Packing(centres, radii, width)


def measure(packing: Packing, verifier: Verifier) -> dict[str, Any]:
    """Returns all that is known about a valid packing; lengths in units of the container.

    Under the relaxed verifier, ``exact_valid`` says whether the packing is exactly valid once each radius
    has shrunk by 1e-8, and ``exact_sum_radii``, present only then, is its sum.
    """
    radii = packing.radii
    mean = float(radii.mean())
    room = np.minimum(packing.centres, [packing.width, packing.height] - packing.centres).min(axis=1) - radii
    values: dict[str, Any] = {
        "sum_radii": math.fsum(radii.tolist()),
        "smallest_radius": float(radii.min()),
        "largest_radius": float(radii.max()),
        "radius_spread": float(radii.std()) / mean if mean > 0 else 0.0,
        "border_share": float((room < TOUCH).mean()),
    }
    checked = packing.shrunk() if verifier == "relaxed" else packing
    values["exact_valid"] = not violations(checked, "exact")
    if values["exact_valid"]:
        values["exact_sum_radii"] = math.fsum(checked.radii.tolist())
    return values
