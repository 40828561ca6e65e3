"""Groups of runs against each other: effects, tests, and what the tests could have shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from speciate.records import Score
from speciate.seeds import stream
from speciate.statistics.bootstrap import Interval, contrast_interval
from speciate.statistics.ranks import holm, least_p, mann_whitney


@dataclass(frozen=True, slots=True)
class Pair:
    """Two groups compared. Scores are higher-is-better throughout.

    Attributes:
        first: name of a group.
        second: name of the other.
        sizes: runs of each.
        difference: median of the first less that of the second, with its interval; None with fewer than two
            runs in either.
        superiority: chance that a run of the first beats one of the second, ties half (Vargha 2000).
        p: of a two-sided Mann-Whitney test.
        adjusted: the same after Holm's correction for the pairs compared with it.
        least: the smallest value `adjusted` could have had with so few runs and so many pairs.
    """

    first: str
    second: str
    sizes: tuple[int, int]
    difference: Interval | None
    superiority: float
    p: float
    adjusted: float
    least: float

    @property
    def rank_biserial(self) -> float:
        """The effect as a correlation: −1 if the first always loses, 1 if it always wins."""
        return 2 * self.superiority - 1

    def winner(self, alpha: float) -> str | None:
        """Returns which group is better at level `alpha`, or None if neither was shown to be."""
        if self.adjusted > alpha or self.superiority == 0.5:
            return None
        return self.first if self.superiority > 0.5 else self.second


def compare_groups(
    groups: Mapping[str, Sequence[Score]],
    pairs: Sequence[tuple[str, str]],
    *,
    confidence: float = 0.95,
    seed: int = 0,
) -> tuple[Pair, ...]:
    """Compares pairs of groups, corrected for their number.

    Args:
        groups: one value a run by group, higher is better; groups without any run are left out.
        pairs: names of the groups to compare.
        confidence: of the intervals of differences.
        seed: names the resampling.

    Returns:
        The pairs in the given order, but for those with a group that has no run.

    Raises:
        MissingExtraError: scipy is not installed.
    """
    found = [
        _compare(first, groups[first], second, groups[second], confidence, seed)
        for first, second in pairs
        if groups.get(first) and groups.get(second)
    ]
    adjusted = holm([pair.p for pair in found])
    return tuple(
        replace(pair, adjusted=float(value), least=min(1.0, pair.least * len(found)))
        for pair, value in zip(found, adjusted, strict=True)
    )


def _compare(
    first: str, ours: Sequence[Score], second: str, theirs: Sequence[Score], confidence: float, seed: int
) -> Pair:
    test = mann_whitney(ours, theirs, alternative="two-sided")
    difference = None
    if min(len(ours), len(theirs)) > 1:
        rng = stream(seed, 0, f"difference of {first} and {second}")
        difference = contrast_interval([ours, theirs], [1.0, -1.0], rng=rng, confidence=confidence)
    sizes = len(ours), len(theirs)
    return Pair(first, second, sizes, difference, test.superiority, test.p, test.p, least_p(*sizes))
