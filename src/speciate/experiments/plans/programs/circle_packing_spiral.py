"""26 circles in the unit square: where their centres lie and how large each may be."""

import math

# EVOLVE-BLOCK-START
N = 26
TURN = 2.399963
REACH = 0.42


def construct() -> tuple[list[tuple[float, float]], list[float]]:
    """Lays the centres on a golden spiral; all radii are what the closest pair or border allows."""
    centres = []
    for k in range(N):
        distance = REACH * math.sqrt((k + 0.5) / N)
        centres.append((0.5 + distance * math.cos(k * TURN), 0.5 + distance * math.sin(k * TURN)))
    size = min(min(x, y, 1.0 - x, 1.0 - y) for x, y in centres)
    for i in range(N):
        for j in range(i + 1, N):
            size = min(size, math.dist(centres[i], centres[j]) / 2)
    return centres, [size - 1e-09] * N


# EVOLVE-BLOCK-END


def pack() -> tuple[list[tuple[float, float]], list[float]]:
    """Returns n centres (x, y) and n radii."""
    centres, sizes = construct()
    return centres, sizes
