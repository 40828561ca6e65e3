"""How sure a share is."""

from __future__ import annotations

import math

Z95 = 1.959963984540054
"""Standard normal quantile of a two-sided interval of 95 %."""


def wilson(hits: int, total: int) -> tuple[float, float]:
    """Returns the 95 % interval of a share (Wilson 1927, https://doi.org/10.2307/2276774).

    Args:
        hits: how many.
        total: of how many; of none nothing is known, and the interval is from 0 to 1.
    """
    if total == 0:
        return 0.0, 1.0
    share, square = hits / total, Z95**2
    middle = share + square / (2 * total)
    reach = Z95 * math.sqrt(share * (1 - share) / total + square / (4 * total * total))
    whole = 1 + square / total
    # At 0 and 1 an end is the share itself, but for rounding.
    low, high = min(share, (middle - reach) / whole), max(share, (middle + reach) / whole)
    return max(0.0, low), min(1.0, high)
