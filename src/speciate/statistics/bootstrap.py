"""Intervals around what several seeds give."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from speciate.errors import MissingExtraError
from speciate.records import Score

Statistic = Literal["mean", "median"]


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate and its confidence interval, low ≤ high; in the units of the values."""

    low: float
    estimate: float
    high: float


def bootstrap_interval(
    values: Sequence[Score],
    *,
    rng: np.random.Generator,
    statistic: Statistic = "mean",
    confidence: float = 0.95,
    resamples: int = 5_000,
) -> Interval:
    """Returns a bootstrap confidence interval.

    For the mean it is bias-corrected and accelerated (BCa, Efron 1987); for the median it is the percentile
    interval, because BCa rests on a jackknife, which is not consistent for medians. With fewer than about ten
    values every bootstrap interval is too narrow.

    Args:
        values: one a run, at least 2.
        rng: stream of the resampling.
        statistic: what is estimated.
        confidence: share of such intervals that would hold the true value, between 0 and 1.
        resamples: number of resamples.

    Raises:
        ValueError: fewer than two values, or one is not finite.
        MissingExtraError: scipy is not installed.
    """
    try:
        from scipy.stats import bootstrap
    except ImportError as error:
        raise MissingExtraError("a bootstrap interval", "stats") from error
    data = np.asarray(values, dtype=float)
    if data.size < 2 or not np.isfinite(data).all():
        raise ValueError(f"an interval needs at least two finite values, got {list(values)}")
    take: Callable[..., np.float64] = np.mean if statistic == "mean" else np.median
    method: Literal["BCa", "percentile"] = "BCa" if statistic == "mean" else "percentile"
    estimate = float(take(data))
    if np.ptp(data) == 0:
        return Interval(estimate, estimate, estimate)  # nothing varies, and BCa would divide by 0
    result = bootstrap(
        (data,),
        take,
        n_resamples=resamples,
        confidence_level=confidence,
        method=method,
        rng=rng,
        vectorized=True,
    )
    return Interval(float(result.confidence_interval.low), estimate, float(result.confidence_interval.high))
