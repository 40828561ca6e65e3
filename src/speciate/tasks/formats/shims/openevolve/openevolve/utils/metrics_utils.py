"""From metrics to one number."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from statistics import fmean


def number(value: object) -> float | None:
    """Returns a real number (numpy's too) as a float; None for anything else, bools included."""
    if isinstance(value, bool) or not hasattr(value, "__float__") or isinstance(value, str):
        return None
    try:
        return float(value)
    except (TypeError, ValueError):  # an array, for example
        return None


def safe_numeric_average(metrics: Mapping[str, object]) -> float:
    """Returns the mean of the metrics that are numbers and not NaN; 0 without any."""
    return mean(metrics, ()) or 0.0


def get_fitness_score(
    metrics: Mapping[str, object], feature_dimensions: Collection[str] | None = None
) -> float:
    """Returns ``combined_score``, or else the mean of the numbers that are no features; 0 without any."""
    found = fitness(metrics, feature_dimensions or ())
    return 0.0 if found is None else found


def fitness(metrics: Mapping[str, object], features: Collection[str]) -> float | None:
    """Returns the same, but None without any number but an ``error``. May be NaN or infinite.

    Where all numbers are features, they are averaged all the same, as OpenEvolve does.
    """
    combined = number(metrics.get("combined_score"))
    if combined is not None or mean(metrics, ("error",)) is None:
        return combined
    counted = mean(metrics, features)
    return mean(metrics, ()) if counted is None else counted


def mean(metrics: Mapping[str, object], without: Collection[str]) -> float | None:
    """Returns the mean of the numbers that are not NaN, without some names; None if there are none."""
    found = (number(value) for name, value in metrics.items() if name not in without)
    numbers = [value for value in found if value is not None and not math.isnan(value)]
    return fmean(numbers) if numbers else None
