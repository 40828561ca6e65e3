"""How long a pendulum swings."""

import math


# EVOLVE-BLOCK-START
def period(angle: float) -> float:
    """Returns the period relative to small swings, for a start at `angle` radians."""
    bend = 1.0 - math.cos(angle)
    return 1.0 + 0.1 * bend + 0.0 * bend * bend


# EVOLVE-BLOCK-END
