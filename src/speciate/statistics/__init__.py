"""Curves, tests and intervals: what several runs say together."""

from speciate.statistics.bootstrap import (
    Interval,
    Method,
    Statistic,
    bootstrap_interval,
    check_installed,
    contrast_interval,
)
from speciate.statistics.comparison import Pair, Test, compare_groups
from speciate.statistics.curves import Band, area_under_curve, band, best_so_far, on_grid
from speciate.statistics.ranks import (
    Alternative,
    RankTest,
    holm,
    least_p,
    least_paired_p,
    mann_whitney,
    seeds_needed,
    signed_rank,
)

__all__ = [
    "Alternative",
    "Band",
    "Interval",
    "Method",
    "Pair",
    "RankTest",
    "Statistic",
    "Test",
    "area_under_curve",
    "band",
    "best_so_far",
    "bootstrap_interval",
    "check_installed",
    "compare_groups",
    "contrast_interval",
    "holm",
    "least_p",
    "least_paired_p",
    "mann_whitney",
    "on_grid",
    "seeds_needed",
    "signed_rank",
]
