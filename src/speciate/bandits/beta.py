"""How likely each of several beta distributed numbers is to be the largest."""

from __future__ import annotations

import numpy as np

FINE = 257
"""Points around the bulk of each distribution, and as many over the whole range."""

REACH = 8.0
"""Standard deviations on both sides of the mean that are looked at closely."""


def chances_of_best(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Returns the chance of each independent X_i ~ Beta(a_i, b_i) to be the largest.

    ``P(i) = ∫ f_i(x) Π_{j≠i} F_j(x) dx``, by the trapezoidal rule on a grid that is fine where any of the
    densities is high; exact to about 1e-4 for parameters of at least 1.

    Args:
        a: first parameters, at least 1, shape ``(n,)``.
        b: second parameters, at least 1, shape ``(n,)``.

    Returns:
        Chances that add up to 1, shape ``(n,)``.
    """
    if len(a) == 1:
        return np.ones(1)
    grid = _grid(a, b)
    density = _densities(grid, a, b)
    steps = np.diff(grid)
    mass = (density[:, 1:] + density[:, :-1]) / 2 * steps
    mass /= mass.sum(axis=1, keepdims=True)
    below = np.concatenate([np.zeros((len(a), 1)), np.cumsum(mass, axis=1)], axis=1)
    middle = (below[:, 1:] + below[:, :-1]) / 2
    # Zeros are below what a float can multiply up again: their logarithm is as good as minus infinity.
    logs = np.log(np.maximum(middle, 1e-300))
    others = np.exp(logs.sum(axis=0) - logs)
    chances: np.ndarray = (mass * others).sum(axis=1)
    chances /= chances.sum()
    return chances


def _grid(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Points inside (0, 1), ascending."""
    total = a + b
    mean, spread = a / total, np.sqrt(a * b / (total**2 * (total + 1)))
    near = mean[:, None] + spread[:, None] * np.linspace(-REACH, REACH, FINE)
    points = np.concatenate([near.ravel(), np.linspace(0, 1, FINE)])
    return np.unique(np.clip(points, 1e-12, 1 - 1e-12))


def _densities(grid: np.ndarray, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Densities up to a factor each, shape ``(n, points)``."""
    logs = (a[:, None] - 1) * np.log(grid) + (b[:, None] - 1) * np.log1p(-grid)
    densities: np.ndarray = np.exp(logs - logs.max(axis=1, keepdims=True))
    return densities
