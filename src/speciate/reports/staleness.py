"""How old the knowledge was with which candidates were chosen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from speciate.store import RunHistory


@dataclass(frozen=True, slots=True)
class Staleness:
    """How many candidates had been chosen and not placed when each candidate was chosen.

    Attributes:
        lags: ``ordinal − seen`` of each candidate but the initial program, by ordinal, shape ``(n,)``;
            0 means that it was chosen with all before it in place.
    """

    lags: np.ndarray

    def quantile(self, share: float) -> float | None:
        """Returns the smallest lag that at least `share` of the candidates keep to, or None without any.

        Args:
            share: 0 to 1.
        """
        return float(np.quantile(self.lags, share, method="inverted_cdf")) if self.lags.size else None


def staleness(history: RunHistory) -> Staleness:
    """Measures how old the knowledge was with which candidates were chosen."""
    choices = (c.choice for _, c in sorted(history.candidates.items()) if not c.choice.planted)
    return Staleness(np.array([choice.ordinal - choice.seen for choice in choices], dtype=np.int64))
