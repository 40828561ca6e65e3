"""Is one set of runs better than another? Tests on ranks, which ask nothing of the distribution."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from speciate.errors import MissingExtraError
from speciate.records import Score

_MOST_EXACT = 50
"""Size of the smaller set up to which the exact distribution takes no time to speak of."""

_MOST_TIED = 60
"""Size of both sets together up to which that holds with ties."""

Alternative = Literal["greater", "two-sided"]


@dataclass(frozen=True, slots=True)
class RankTest:
    """Outcome of a test.

    Attributes:
        p: probability of ranks at least as favourable (``greater``), or as lopsided either way
            (``two-sided``), if neither set were better.
        superiority: chance that a random run of the first set beats one of the second, ties half
            (Vargha 2000, https://doi.org/10.3102/10769986025002101); 0.5 means no difference.
        lead: whose ranks are ahead: 1 the first set's, −1 the second's, 0 neither's. Of matched values it may
            contradict `superiority`, which counts wins and not how large they are.
    """

    p: float
    superiority: float
    lead: int


def mann_whitney(
    first: Sequence[Score], second: Sequence[Score], *, alternative: Alternative = "greater"
) -> RankTest:
    """Tests whether `first` tends to be greater than `second` (Mann 1947).

    Exact with at most 50 values in the smaller set, and given the ties with at most 60 in both; else by the
    normal approximation with tie correction, which calls three ties against three significant.

    Args:
        first: one value a run, higher is better.
        second: the same for the other condition; sizes may differ.
        alternative: ``greater`` is one-sided; ``two-sided`` asks whether they differ, either way.

    Raises:
        ValueError: a set is empty or holds NaN.
        MissingExtraError: scipy is not installed.
    """
    try:
        from scipy.stats import mannwhitneyu
    except ImportError as error:
        raise MissingExtraError("a rank test", "stats") from error
    ours, theirs = _checked(first), _checked(second)
    pooled = np.concatenate([ours, theirs])
    distinct = len(np.unique(pooled))
    if distinct == 1:  # no ranks to speak of, and a division by 0 in the approximation
        return RankTest(p=1.0, superiority=0.5, lead=0)
    tied = distinct < pooled.size
    exact = not tied and min(ours.size, theirs.size) <= _MOST_EXACT
    method: Literal["exact", "asymptotic"] = "exact" if exact else "asymptotic"
    test = mannwhitneyu(ours, theirs, alternative=alternative, method=method)
    p = float(test.pvalue)
    if tied and pooled.size <= _MOST_TIED:
        ranks = _doubled_ranks(pooled)
        p = _tail(_sums(ranks, ours.size), int(ranks[: ours.size].sum()), alternative)
    superiority = float(test.statistic) / (ours.size * theirs.size)
    return RankTest(p=p, superiority=superiority, lead=_sign(superiority - 0.5))


def signed_rank(first: Sequence[Score], second: Sequence[Score]) -> RankTest:
    """Tests whether matched values differ, either way (Wilcoxon 1945, https://doi.org/10.2307/3001968).

    Exact, given the ties, with at most 50 differences, else by the normal approximation; zeros are dropped.

    Args:
        first: one value a run, higher is better.
        second: the value matched to each of them, for example of the run with the same seed.

    Raises:
        ValueError: the sets are empty, of different sizes or hold NaN.
        MissingExtraError: scipy is not installed.
    """
    try:
        from scipy.stats import wilcoxon
    except ImportError as error:
        raise MissingExtraError("a rank test", "stats") from error
    ours, theirs = _checked(first), _checked(second)
    if ours.size != theirs.size:
        raise ValueError(f"matched values come in pairs, got {ours.size} and {theirs.size}")
    with np.errstate(over="ignore"):  # of huge scores; an infinite difference has its rank too
        differences = ours - theirs
    superiority = float(np.mean((differences > 0) + 0.5 * (differences == 0)))
    differences = differences[differences != 0]
    if differences.size == 0:
        return RankTest(p=1.0, superiority=0.5, lead=0)
    ranks = _doubled_ranks(np.abs(differences))
    ahead = int(ranks[differences > 0].sum())
    if differences.size > _MOST_EXACT:
        p = float(wilcoxon(differences, method="approx").pvalue)
    else:
        p = _tail(_sums(ranks), ahead, "two-sided")
    return RankTest(p=p, superiority=superiority, lead=_sign(2 * ahead - int(ranks.sum())))


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)


def _doubled_ranks(values: np.ndarray) -> np.ndarray:
    """Returns twice the rank of each value, whole numbers also where ties share the mean of theirs."""
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    doubled: np.ndarray = (2 * last - counts + 1)[places]
    return doubled


def _sums(ranks: np.ndarray, size: int | None = None) -> np.ndarray:
    """Returns how likely each sum is when ranks are drawn, shape ``(sum of all + 1,)``.

    Args:
        ranks: whole numbers.
        size: how many are drawn without replacement; None draws each with probability 1/2.
    """
    total = int(ranks.sum())
    if size is None:
        chances = np.zeros(total + 1)
        chances[0] = 1.0
        for rank in ranks.tolist():
            chances[rank:] = chances[rank:] + chances[: total + 1 - rank]
        coins: np.ndarray = chances / chances.sum()
        return coins
    ways = np.zeros((size + 1, total + 1))
    ways[0, 0] = 1.0
    for rank in ranks.tolist():
        ways[1:, rank:] = ways[1:, rank:] + ways[:-1, : total + 1 - rank]
    drawn: np.ndarray = ways[size] / ways[size].sum()
    return drawn


def _tail(chances: np.ndarray, total: int, alternative: Alternative) -> float:
    """Returns the chance of sums at least as large as `total`, or twice that of the rarer side."""
    above = float(chances[total:].sum())
    if alternative == "greater":
        return min(1.0, above)
    return min(1.0, 2 * above, 2 * float(chances[: total + 1].sum()))


def least_p(first: int, second: int) -> float:
    """Returns the smallest p-value that a two-sided rank test of sets of these sizes can give.

    That is 2 / C(first + second, first), reached when every run of one set beats all of the other.

    Raises:
        ValueError: a size is below 1.
    """
    if min(first, second) < 1:
        raise ValueError(f"sets have at least one value each, got sizes {first} and {second}")
    return min(1.0, 2 / math.comb(first + second, first))


def least_paired_p(pairs: int) -> float:
    """Returns the smallest p-value that a signed-rank test of so many pairs can give: 2 / 2^pairs.

    Raises:
        ValueError: there is no pair.
    """
    if pairs < 1:
        raise ValueError(f"a test has at least one pair, got {pairs}")
    return min(1.0, 2.0 ** (1 - pairs))


def seeds_needed(comparisons: int, *, alpha: float = 0.05, paired: bool = False) -> int:
    """Returns the fewest runs a condition with which one of so many comparisons can be significant at all.

    Args:
        comparisons: at least 1; Holm multiplies the smallest p-value by it.
        alpha: level, above 0 and below 1.
        paired: whether runs of one seed are compared with each other.
    """
    seeds = 1
    while (least_paired_p(seeds) if paired else least_p(seeds, seeds)) * comparisons > alpha:
        seeds += 1
    return seeds


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
