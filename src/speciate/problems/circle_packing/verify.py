"""Says whether circles overlap or reach outside: with a small slack, or exactly."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

Verifier = Literal["relaxed", "exact"]
Floats: TypeAlias = npt.NDArray[np.float64]

SLACK = 1e-6
"""How far circles may overlap or reach outside under the relaxed verifier."""

SHRINK = 1e-8
"""By how much each radius shrinks before a relaxed packing is checked exactly."""

DOUBT = 1e-12
"""Lengths in a container of size <= 2 that differ by more than this differ in exact arithmetic too.

A sum, difference or square of such doubles is off by a few times 2^-52 < 1e-15."""

SHOWN = 5
"""How many of the worst violations the feedback names."""


@dataclass(frozen=True, slots=True)
class Packing:
    """Circles in a rectangle with a corner at the origin.

    Attributes:
        centres: shape ``(n, 2)``.
        radii: shape ``(n,)``.
        width: width of the rectangle; its height is 2 - `width`. The unit square has width 1.
    """

    centres: Floats
    radii: Floats
    width: float = 1.0

    @property
    def height(self) -> float:
        """Height of the rectangle, rounded to a double."""
        return 2.0 - self.width

    def shrunk(self, by: float = SHRINK) -> Packing:
        """Returns the packing with each radius smaller by `by`, but not below 0."""
        return Packing(self.centres, np.maximum(self.radii - by, 0.0), self.width)


@dataclass(frozen=True, slots=True)
class Violation:
    """One fault of a packing.

    Attributes:
        text: what is wrong, naming the circles.
        amount: by how much, a length; 0 when it is below what a double can tell.
    """

    text: str
    amount: float


def violations(packing: Packing, verifier: Verifier) -> list[Violation]:
    """Returns all faults, the worst first; an empty list means valid. All numbers must be finite.

    The relaxed verifier grants `SLACK` on each distance. The exact one decides about the very doubles
    in rational arithmetic: circles i and j are apart if and only if dx^2 + dy^2 >= (r_i + r_j)^2.
    """
    if not 0.0 < packing.width < 2.0:
        return [Violation(f"the width {packing.width!r} is not between 0 and 2", np.inf)]
    signs = [
        Violation(f"circle {i} has the negative radius {packing.radii[i]!r}", float(-packing.radii[i]))
        for i in map(int, np.flatnonzero(packing.radii < 0.0))
    ]
    with np.errstate(over="ignore", invalid="ignore"):  # absurd coordinates; NaN counts as a fault
        found = [*signs, *_outside(packing, verifier), *_overlaps(packing, verifier)]
    return sorted(found, key=lambda v: -v.amount)


def explain(found: list[Violation]) -> str:
    """Returns the worst faults as text for a prompt."""
    lines = [f"- {v.text} (by {v.amount:.3g})" for v in found[:SHOWN]]
    more = [f"- and {len(found) - SHOWN} more"] if len(found) > SHOWN else []
    return "\n".join([f"Invalid packing, {len(found)} fault(s), worst first:", *lines, *more])


def _outside(packing: Packing, verifier: Verifier) -> Iterator[Violation]:
    """Yields circles that reach over a side."""
    x, y = packing.centres.T
    r = packing.radii
    sides = (
        ("left", r - x, _beyond_origin(packing, 0)),
        ("lower", r - y, _beyond_origin(packing, 1)),
        ("right", x + r - packing.width, _beyond_end(packing, 0)),
        ("upper", y + r - packing.height, _beyond_end(packing, 1)),
    )
    for side, excess, certainly in sides:
        for i in _suspects(excess, verifier):
            if verifier == "relaxed" or excess[i] > DOUBT or certainly(i):
                yield Violation(f"circle {i} reaches over the {side} side", max(float(excess[i]), 0.0))


def _overlaps(packing: Packing, verifier: Verifier) -> Iterator[Violation]:
    """Yields pairs of circles that overlap."""
    first, second = np.triu_indices(len(packing.radii), k=1)
    gap = np.hypot(*(packing.centres[first] - packing.centres[second]).T)
    excess = packing.radii[first] + packing.radii[second] - gap
    for k in _suspects(excess, verifier):
        i, j = int(first[k]), int(second[k])
        if verifier == "relaxed" or excess[k] > DOUBT or _overlap_exactly(packing, i, j):
            yield Violation(f"circles {i} and {j} overlap", max(float(excess[k]), 0.0))


def _suspects(excess: Floats, verifier: Verifier) -> list[int]:
    """Returns where `excess` is a fault (relaxed) or may be one (exact). NaN is always a fault."""
    bound = SLACK if verifier == "relaxed" else -DOUBT
    return [int(k) for k in np.flatnonzero(~(excess <= bound))]


def _beyond_origin(packing: Packing, axis: int) -> Callable[[int], bool]:
    """Returns the exact test whether circle i reaches below 0 along `axis`: comparing doubles is exact."""
    return lambda i: bool(packing.radii[i] > packing.centres[i, axis])


def _beyond_end(packing: Packing, axis: int) -> Callable[[int], bool]:
    """Returns the exact test whether circle i reaches over the far side along `axis`."""
    width = Fraction(packing.width)
    end = width if axis == 0 else 2 - width
    return lambda i: Fraction(float(packing.centres[i, axis])) + Fraction(float(packing.radii[i])) > end


def _overlap_exactly(packing: Packing, i: int, j: int) -> bool:
    """Returns whether circles i and j overlap, in rational arithmetic on their doubles."""
    (xi, yi), (xj, yj) = ([Fraction(float(v)) for v in packing.centres[k]] for k in (i, j))
    reach = Fraction(float(packing.radii[i])) + Fraction(float(packing.radii[j]))
    return (xi - xj) ** 2 + (yi - yj) ** 2 < reach**2
