"""Groups of runs against each other: effects, tests, and what the tests could have shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from speciate.records import Score
from speciate.seeds import stream
from speciate.statistics.bootstrap import Interval, contrast_interval
from speciate.statistics.ranks import holm, least_p, least_paired_p, mann_whitney, signed_rank

Test = Literal["mann-whitney", "wilcoxon"]
"""``mann-whitney`` takes runs for independent; ``wilcoxon`` compares the runs of each seed."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two groups compared. Scores are higher-is-better throughout.

    Attributes:
        first: name of a group.
        second: name of the other.
        test: how they were compared.
        sizes: runs of each; for ``wilcoxon`` the seeds that both have.
        difference: median of the first less that of the second (for ``wilcoxon`` the median of the
            differences seed by seed), with its interval; None with fewer than two runs in either.
        superiority: chance that a run of the first beats one of the second, ties half (Vargha 2000); for
            ``wilcoxon`` that it beats the one of the same seed.
        lead: whom the test favours: 1 the first, −1 the second, 0 neither (`RankTest.lead`).
        p: two-sided, of the test.
        adjusted: the same after Holm's correction for the pairs compared with it.
        least: the smallest value `adjusted` could have had with so few runs and so many pairs.
    """

    first: str
    second: str
    test: Test
    sizes: tuple[int, int]
    difference: Interval | None
    superiority: float
    lead: int
    p: float
    adjusted: float
    least: float

    @property
    def rank_biserial(self) -> float:
        """The effect as a correlation: −1 if the first always loses, 1 if it always wins."""
        return 2 * self.superiority - 1

    def winner(self, alpha: float) -> str | None:
        """Returns which group is better at level `alpha`, or None if neither was shown to be."""
        if self.adjusted > alpha or self.lead == 0:
            return None
        return self.first if self.lead > 0 else self.second


def compare_groups(
    groups: Mapping[str, Mapping[int, Score]],
    pairs: Sequence[tuple[str, str]],
    *,
    test: Test = "mann-whitney",
    confidence: float = 0.95,
    seed: int = 0,
) -> tuple[Pair, ...]:
    """Compares pairs of groups, corrected for their number.

    Args:
        groups: scores by seed by group, higher is better; a group may have none.
        pairs: names of the groups to compare.
        test: how; to be chosen before the scores are known.
        confidence: of the intervals of differences.
        seed: names the resampling.

    Returns:
        The pairs in the given order, but for those with a group that has no run (for ``wilcoxon``, without a
        seed in common).

    Raises:
        MissingExtraError: scipy is not installed.
    """
    found: list[Pair] = []
    for first, second in pairs:
        ours, theirs = _matched(groups[first], groups[second], test)
        if ours and theirs:
            found.append(_compare(first, ours, second, theirs, test, confidence, seed))
    adjusted = holm([pair.p for pair in found])
    return tuple(
        replace(pair, adjusted=float(value), least=min(1.0, pair.least * len(found)))
        for pair, value in zip(found, adjusted, strict=True)
    )


def _matched(
    ours: Mapping[int, Score], theirs: Mapping[int, Score], test: Test
) -> tuple[list[Score], list[Score]]:
    if test == "mann-whitney":
        return list(ours.values()), list(theirs.values())
    common = sorted(ours.keys() & theirs.keys())
    return [ours[seed] for seed in common], [theirs[seed] for seed in common]


def _compare(
    first: str,
    ours: list[Score],
    second: str,
    theirs: list[Score],
    test: Test,
    confidence: float,
    seed: int,
) -> Pair:
    rng = stream(seed, 0, f"difference of {first} and {second}")
    sizes = len(ours), len(theirs)
    if test == "wilcoxon":
        ranks, least = signed_rank(ours, theirs), least_paired_p(len(ours))
        samples, weights = [[a - b for a, b in zip(ours, theirs, strict=True)]], [1.0]
    else:
        ranks, least = mann_whitney(ours, theirs, alternative="two-sided"), least_p(*sizes)
        samples, weights = [ours, theirs], [1.0, -1.0]
    difference = None
    if min(sizes) > 1:
        difference = contrast_interval(samples, weights, rng=rng, confidence=confidence)
    return Pair(
        first, second, test, sizes, difference, ranks.superiority, ranks.lead, ranks.p, ranks.p, least
    )
