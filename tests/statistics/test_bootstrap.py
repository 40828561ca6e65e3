from __future__ import annotations

import sys

import numpy as np
import pytest
from scipy.stats import bootstrap

from speciate.errors import MissingExtraError
from speciate.seeds import stream
from speciate.statistics import Statistic, bootstrap_interval, contrast_interval


@pytest.mark.parametrize("statistic", ["mean", "median"])
def test_the_interval_holds_the_estimate_and_is_reproducible(statistic: Statistic) -> None:
    values = stream(1, 0, "sample").normal(5.0, 1.0, size=30).tolist()
    interval = bootstrap_interval(values, rng=stream(1, 0, "bootstrap"), statistic=statistic)
    again = bootstrap_interval(values, rng=stream(1, 0, "bootstrap"), statistic=statistic)
    assert interval.low < interval.estimate < interval.high
    assert interval == again


def test_most_intervals_hold_the_true_mean() -> None:
    hits = 0
    for k in range(60):
        values = stream(2, k, "sample").exponential(1.0, size=25).tolist()
        interval = bootstrap_interval(values, rng=stream(2, k, "bootstrap"), confidence=0.9, resamples=500)
        hits += interval.low <= 1.0 <= interval.high
    assert 45 <= hits <= 60  # expected about 53


@pytest.mark.parametrize("size", [8, 11])
def test_most_intervals_hold_the_true_median(size: int) -> None:
    hits = 0
    for k in range(100):
        values = stream(4, k, "sample").lognormal(0.0, 1.0, size=size).tolist()
        interval = bootstrap_interval(
            values, rng=stream(4, k, "bootstrap"), statistic="median", resamples=400
        )
        hits += interval.low <= 1.0 <= interval.high
    assert 86 <= hits <= 100  # about 93 of a hundred 95 % intervals at these sizes


def test_most_intervals_hold_the_true_difference_of_medians() -> None:
    hits = 0
    for k in range(60):
        rng = stream(5, k, "samples")
        groups = [rng.normal(3.0, 1.0, size=12).tolist(), rng.normal(1.0, 2.0, size=9).tolist()]
        interval = contrast_interval(groups, [1.0, -1.0], rng=stream(5, k, "bootstrap"), resamples=400)
        hits += interval.low <= 2.0 <= interval.high
    assert 51 <= hits <= 60


def test_the_interaction_is_the_difference_of_two_differences() -> None:
    groups = [[9.0, 10.0, 11.0], [4.0, 5.0, 6.0], [2.0, 3.0, 4.0], [1.0, 2.0, 3.0]]
    interval = contrast_interval(groups, [1.0, -1.0, -1.0, 1.0], rng=stream(6, 0, "b"))
    assert interval.estimate == (10 - 5) - (3 - 2)
    assert interval.low <= 4.0 <= interval.high


def test_the_interval_is_that_of_scipy() -> None:
    values = stream(7, 0, "sample").normal(size=15)
    theirs = bootstrap(
        (values,), np.median, n_resamples=999, method="BCa", rng=stream(7, 0, "b"), vectorized=True
    ).confidence_interval
    ours = bootstrap_interval(values.tolist(), rng=stream(7, 0, "b"), statistic="median", resamples=999)
    assert (ours.low, ours.high, ours.method) == (theirs.low, theirs.high, "BCa")


def test_where_bca_is_not_defined_the_interval_says_what_took_its_place() -> None:
    values = [1.0, 1.0, 1.0, 1.0, 5.0]  # leaving one out never changes the median
    interval = bootstrap_interval(values, rng=stream(8, 0, "b"), statistic="median")
    assert interval.method == "percentile"
    assert interval.low <= interval.estimate <= interval.high


def test_more_confidence_means_a_wider_interval() -> None:
    values = [1.0, 2.0, 4.0, 8.0, 9.0, 11.0]
    wide = bootstrap_interval(values, rng=stream(3, 0, "b"), confidence=0.99)
    narrow = bootstrap_interval(values, rng=stream(3, 0, "b"), confidence=0.5)
    assert wide.low < narrow.low < narrow.high < wide.high


def test_values_without_spread_give_a_point() -> None:
    interval = bootstrap_interval([2.0] * 5, rng=np.random.default_rng(0))
    assert (interval.low, interval.estimate, interval.high) == (2.0, 2.0, 2.0)


@pytest.mark.parametrize("values", [[], [1.0], [1.0, float("inf")]])
def test_too_little_to_go_on_is_refused(values: list[float]) -> None:
    with pytest.raises(ValueError, match="at least two finite"):
        bootstrap_interval(values, rng=np.random.default_rng(0))


def test_absent_scipy_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy.stats", None)
    with pytest.raises(MissingExtraError, match=r"speciate\[stats\]"):
        bootstrap_interval([1.0, 2.0], rng=np.random.default_rng(0))
