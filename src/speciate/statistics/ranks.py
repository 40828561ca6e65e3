"""Is one set of runs better than another? Tests on ranks, which ask nothing of the distribution."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from speciate.errors import MissingExtraError
from speciate.records import Score


@dataclass(frozen=True, slots=True)
class RankTest:
    """Outcome of a one-sided test.

    Attributes:
        p: probability of ranks at least as favourable if neither set were better.
        superiority: chance that a random run of the first set beats one of the second, ties half
            (Vargha 2000, https://doi.org/10.3102/10769986025002101); 0.5 means no difference.
    """

    p: float
    superiority: float


def mann_whitney(first: Sequence[Score], second: Sequence[Score]) -> RankTest:
    """Tests whether `first` tends to be greater than `second` (Mann 1947), one-sided.

    Exact for small sets without ties, else by the normal approximation with tie correction.

    Args:
        first: one value a run, higher is better.
        second: the same for the other condition; sizes may differ.

    Raises:
        ValueError: a set is empty or holds NaN.
        MissingExtraError: scipy is not installed.
    """
    try:
        from scipy.stats import mannwhitneyu
    except ImportError as error:
        raise MissingExtraError("a rank test", "stats") from error
    ours, theirs = _checked(first), _checked(second)
    if np.ptp(np.concatenate([ours, theirs])) == 0:
        return RankTest(
            p=1.0, superiority=0.5
        )  # no ranks to speak of, and a division by 0 in the approximation
    test = mannwhitneyu(ours, theirs, alternative="greater")
    return RankTest(p=float(test.pvalue), superiority=float(test.statistic) / (ours.size * theirs.size))


def holm(p_values: Sequence[float]) -> np.ndarray:
    """Returns p-values adjusted for their number by Holm's step-down method (Holm 1979), in the given order.

    Args:
        p_values: one a hypothesis, each in [0, 1].

    Returns:
        Shape ``(n,)``; hypotheses with an adjusted value below α can be rejected together at level α.

    Raises:
        ValueError: a value lies outside [0, 1].
    """
    values = np.asarray(p_values, dtype=float)
    if not np.all((values >= 0) & (values <= 1)):
        raise ValueError(f"p-values lie in [0, 1], got {list(p_values)}")
    order = np.argsort(values, kind="stable")
    scaled = values[order] * np.arange(values.size, 0, -1)
    adjusted = np.empty_like(values)
    adjusted[order] = np.minimum(np.maximum.accumulate(scaled), 1.0)
    return adjusted


def _checked(values: Sequence[Score]) -> np.ndarray:
    array = np.asarray(values, dtype=float)
    if array.size == 0 or np.isnan(array).any():
        raise ValueError("a rank test needs at least one value in each set, and none that is NaN")
    return array
