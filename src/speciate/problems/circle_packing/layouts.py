"""The initial programs: explicit centres in rings, and a plain rule for the radii."""

from __future__ import annotations

import math
from typing import Literal

Shape = Literal["square", "rectangle"]

OUTER_SHARE = 0.68
"""Share of the circles around the middle one that lie in the outer ring."""

INNER_RING, OUTER_RING = 0.22, 0.42
"""Distance of each ring from the middle."""

_SQUARE = '''"""{n} circles in the unit square: where their centres lie and how large each may be."""

import math

# EVOLVE-BLOCK-START
# One circle in the middle and two rings around it.
CENTRES = [
{centres}
]


def radii(centres: list[tuple[float, float]]) -> list[float]:
    """Grows each circle to the border; of each overlapping pair both then shrink by one factor."""
    sizes = [min(x, y, 1.0 - x, 1.0 - y) for x, y in centres]
    for i in range(len(centres)):
        for j in range(i + 1, len(centres)):
            gap = math.hypot(centres[i][0] - centres[j][0], centres[i][1] - centres[j][1])
            total = sizes[i] + sizes[j]
            if total > gap:
                sizes[i] *= gap / total
                sizes[j] *= gap / total
    return [max(size - 1e-09, 0.0) for size in sizes]


def construct() -> tuple[list[tuple[float, float]], list[float]]:
    """Returns the centres and the radii."""
    return CENTRES, radii(CENTRES)


# EVOLVE-BLOCK-END


def pack() -> tuple[list[tuple[float, float]], list[float]]:
    """Returns n centres (x, y) and n radii."""
    centres, sizes = construct()
    return centres, sizes
'''


def initial_program(n: int, shape: Shape) -> str:
    """Returns the text of the initial program for `n` circles in the container `shape`."""
    centres = "\n".join(f"    ({x!r}, {y!r})," for x, y in rings(n))
    text = _SQUARE.format(n=n, centres=centres)
    return _widened(text) if shape == "rectangle" else text


def description(n: int, shape: Shape, *, slack: float | None) -> str:
    """Returns what a model is told of the task with these parameters.

    Args:
        n: number of circles.
        shape: the container.
        slack: how far circles may overlap or reach outside, or None if not at all.
    """
    container, third = "the unit square [0, 1] x [0, 1]", ""
    if shape == "rectangle":
        container = "the rectangle [0, width] x [0, 2 - width], whose width the program chooses"
        third = ", and third the width"
    checked = "exactly, on the doubles returned" if slack is None else f"to within {slack:g}"
    return (
        f"Place {n} circles in {container} so that the sum of their radii is as large as possible.\n"
        f"No two circles may overlap and none may reach outside (checked {checked}).\n"
        f"`pack()` returns the centres as {n} pairs (x, y) and the {n} radii{third}.\n"
    )


def rings(n: int) -> list[tuple[float, float]]:
    """Returns `n` points of the unit square: one in the middle, the others evenly on two rings."""
    outer = round((n - 1) * OUTER_SHARE)
    points = [(0.5, 0.5)]
    for count, distance in ((n - 1 - outer, INNER_RING), (outer, OUTER_RING)):
        turns = [2 * math.pi * k / count for k in range(count)]
        points += [
            (round(0.5 + distance * math.cos(t), 3), round(0.5 + distance * math.sin(t), 3)) for t in turns
        ]
    return points


def _widened(text: str) -> str:
    """Turns the program for the square into the one for the rectangle that starts as the square."""
    for old, new in (
        ("the unit square", "a rectangle of perimeter 4"),
        ("# One circle", "WIDTH = 1.0\n\n# One circle"),
        ("1.0 - x, 1.0 - y", "WIDTH - x, 2.0 - WIDTH - y"),
        ("the centres and the radii.", "the centres, the radii and the width."),
        ("CENTRES, radii(CENTRES)", "CENTRES, radii(CENTRES), WIDTH"),
        ("(x, y) and n radii.", "(x, y), n radii and the width of the rectangle."),
        ("list[float]]:", "list[float], float]:"),
        ("centres, sizes = construct()", "centres, sizes, width = construct()"),
        ("return centres, sizes\n", "return centres, sizes, width\n"),
    ):
        text = text.replace(old, new)
    return text
