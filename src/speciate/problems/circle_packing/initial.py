"""26 circles in the unit square: where their centres lie and how large each may be."""

import math

# EVOLVE-BLOCK-START
# One circle in the middle and two rings around it.
CENTRES = [
    (0.5, 0.5),
    (0.72, 0.5),
    (0.656, 0.656),
    (0.5, 0.72),
    (0.344, 0.656),
    (0.28, 0.5),
    (0.344, 0.344),
    (0.5, 0.28),
    (0.656, 0.344),
    (0.92, 0.5),
    (0.892, 0.652),
    (0.81, 0.783),
    (0.687, 0.876),
    (0.539, 0.918),
    (0.385, 0.904),
    (0.247, 0.835),
    (0.143, 0.721),
    (0.087, 0.577),
    (0.087, 0.423),
    (0.143, 0.279),
    (0.247, 0.165),
    (0.385, 0.096),
    (0.539, 0.082),
    (0.687, 0.124),
    (0.81, 0.217),
    (0.892, 0.348),
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
