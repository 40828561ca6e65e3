"""26 circles in the unit square: where their centres lie and how large each may be."""

import math

# EVOLVE-BLOCK-START
# Five rows and columns, and one more circle between four of them.
CENTRES = [
    (0.1, 0.1),
    (0.3, 0.1),
    (0.5, 0.1),
    (0.7, 0.1),
    (0.9, 0.1),
    (0.1, 0.3),
    (0.3, 0.3),
    (0.5, 0.3),
    (0.7, 0.3),
    (0.9, 0.3),
    (0.1, 0.5),
    (0.3, 0.5),
    (0.5, 0.5),
    (0.7, 0.5),
    (0.9, 0.5),
    (0.1, 0.7),
    (0.3, 0.7),
    (0.5, 0.7),
    (0.7, 0.7),
    (0.9, 0.7),
    (0.1, 0.9),
    (0.3, 0.9),
    (0.5, 0.9),
    (0.7, 0.9),
    (0.9, 0.9),
    (0.2, 0.2),
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
