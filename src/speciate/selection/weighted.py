"""Fitness against the median, times what is left to explore."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from typing_extensions import override

from speciate.selection.base import ParentPolicy, Ranked
from speciate.selection.occupants import Occupants

Scale = Literal["none", "mad"]

_SATURATION = 700.0  # beyond it the sigmoid is 0 or 1 in double precision, and exp(709) is near overflow


class Weighted(ParentPolicy):
    """p_i ∝ s_i · h_i with s_i = σ(λ (F_i − median F) / scale) and h_i = 1 / (1 + N_i).

    N_i is the number of offspring. With ``scale = "none"`` the scale is 1: the form of Lange 2025
    (https://arxiv.org/abs/2509.19349), whose choice of λ supposes scores of the order of one. With
    ``"mad"`` it is the median absolute deviation of F, so that the pressure does not depend on the unit of
    the score.

    When more than half of the scores tie, that deviation is 0 and the mean absolute deviation takes its
    place: still in the unit of the score, and ties stay ties while the better and the worse remain apart.
    When all scores tie, s is 1/2 for all and the offspring alone decide.

    Args:
        pressure: λ, 0 or more; 0 leaves the decision to the offspring.
        scale: what F is measured in.

    Raises:
        ValueError: `pressure` is negative or not finite.
    """

    def __init__(self, pressure: float = 10.0, scale: Scale = "mad") -> None:
        if not 0 <= pressure < np.inf:
            raise ValueError(f"the pressure must be 0 or more and finite, got {pressure}")
        self._pressure = pressure
        self._scale = scale

    @override
    def probabilities(self, occupants: Sequence[Ranked]) -> np.ndarray:
        columns = Occupants.of(occupants)
        # At least half of the occupants are at or above the median, with s ≥ 1/2: the sum is never 0.
        weights = _sigmoid(self._arguments(columns.fitness)) / (1.0 + columns.offspring)
        return np.asarray(weights / weights.sum())

    def _arguments(self, fitness: np.ndarray) -> np.ndarray:
        """λ (F − median F) / scale, clipped to where the sigmoid saturates, shape ``(n,)``."""
        halves = fitness / 2  # the difference of two halves cannot overflow
        deviations = halves - _median(halves)
        scale = 0.5 if self._scale == "none" else _spread(np.abs(deviations))
        if scale == 0 or self._pressure == 0:
            return np.zeros(len(fitness))
        with np.errstate(over="ignore"):  # what overflows here is far beyond saturation and is clipped
            return np.clip(self._pressure * (deviations / scale), -_SATURATION, _SATURATION)


def _spread(deviations: np.ndarray) -> float:
    """The median of absolute deviations, their mean if that is 0; 0 only if all are."""
    middle = _median(deviations)
    largest = float(deviations.max())
    if middle > 0 or largest == 0:
        return middle
    return float((deviations / largest).mean()) * largest  # the plain sum of huge deviations may overflow


def _median(values: np.ndarray) -> float:
    """The median; `numpy.median` costs ten times as much for small arrays."""
    ordered = np.sort(values)
    count = len(ordered)
    return float(ordered[(count - 1) // 2]) / 2 + float(ordered[count // 2]) / 2


def _sigmoid(x: np.ndarray) -> np.ndarray:
    return np.asarray(1 / (1 + np.exp(-x)))
