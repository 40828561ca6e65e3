"""Intervals around what several seeds give."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from speciate.errors import MissingExtraError
from speciate.records import Score

Statistic = Literal["mean", "median"]

Method = Literal["BCa", "percentile", "point"]
"""How an interval came about: bias-corrected and accelerated (Efron 1987,
https://doi.org/10.2307/2289144); the percentiles of the resamples, where BCa is not defined; or no interval
at all, because nothing varies."""


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate and its confidence interval, low ≤ high; in the units of the values."""

    low: float
    estimate: float
    high: float
    method: Method = "BCa"

    @property
    def excludes_zero(self) -> bool:
        """Whether 0 lies outside."""
        return self.low > 0 or self.high < 0


def check_installed() -> None:
    """Raises MissingExtraError if intervals and tests cannot be computed, before anybody waits for them."""
    try:
        import scipy  # noqa: F401 -- whether it is there is all that is asked
    except ImportError as error:
        raise MissingExtraError("statistics", "stats") from error


def bootstrap_interval(
    values: Sequence[Score],
    *,
    rng: np.random.Generator,
    statistic: Statistic = "mean",
    confidence: float = 0.95,
    resamples: int = 5_000,
) -> Interval:
    """Returns a bootstrap confidence interval.

    BCa rests on a jackknife, which is not consistent for medians; in the simulations of
    `tests/statistics/test_bootstrap.py` its intervals for medians hold the truth as often as the percentile
    intervals do. With fewer than about ten values every bootstrap interval is too narrow.

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
    return contrast_interval(
        [values], [1.0], rng=rng, statistic=statistic, confidence=confidence, resamples=resamples
    )


def contrast_interval(
    groups: Sequence[Sequence[Score]],
    weights: Sequence[float],
    *,
    rng: np.random.Generator,
    statistic: Statistic = "median",
    confidence: float = 0.95,
    resamples: int = 5_000,
) -> Interval:
    """Returns a bootstrap interval of a weighted sum of the groups' statistics; groups are resampled apart.

    Weights (1, −1) give a difference; (1, −1, −1, 1) the interaction of two factors with two levels each,
    that is the difference of two differences.

    Args:
        groups: one value a run, at least 2 in each group; sizes may differ.
        weights: one a group.
        rng: stream of the resampling.
        statistic: what is estimated of each group.
        confidence: share of such intervals that would hold the true value, between 0 and 1.
        resamples: number of resamples.

    Raises:
        ValueError: a group has fewer than two values, one is not finite, or the weights are not one a group.
        MissingExtraError: scipy is not installed.
    """
    try:
        from scipy.stats import bootstrap
    except ImportError as error:
        raise MissingExtraError("a bootstrap interval", "stats") from error
    samples = [_checked(values) for values in groups]
    take = np.mean if statistic == "mean" else np.median

    def contrast(*arrays: np.ndarray, axis: int = -1) -> np.ndarray:
        parts = [w * take(array, axis=axis) for w, array in zip(weights, arrays, strict=True)]
        return np.asarray(sum(parts[1:], start=parts[0]))

    with np.errstate(over="ignore", invalid="ignore"):
        estimate = float(contrast(*samples))
    if all(len(np.unique(sample)) == 1 for sample in samples):
        return Interval(estimate, estimate, estimate, "point")
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter(
            "ignore"
        )  # scipy warns where BCa is not defined; the method of the interval says so
        result = bootstrap(
            samples,
            contrast,
            n_resamples=resamples,
            confidence_level=confidence,
            method="BCa",
            rng=rng,
            vectorized=True,
        )
    low, high = float(result.confidence_interval.low), float(result.confidence_interval.high)
    if math.isfinite(low) and math.isfinite(high):
        return Interval(low, estimate, high)
    tail = (1 - confidence) / 2
    with np.errstate(over="ignore", invalid="ignore"):
        low, high = np.quantile(result.bootstrap_distribution, [tail, 1 - tail], method="nearest")
    return Interval(float(low), estimate, float(high), "percentile")


def _checked(values: Sequence[Score]) -> np.ndarray:
    data = np.asarray(values, dtype=float)
    if data.size < 2 or not np.isfinite(data).all():
        raise ValueError(f"an interval needs at least two finite values, got {list(values)}")
    return data
