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
from speciate.statistics.model_diversity import (
    Diversity,
    Mixture,
    affinity,
    cell_distributions,
    diversity,
    expected_cells,
    expected_mixtures,
    jensen_shannon,
    normalised,
    overlap,
    vendi_score,
)
from speciate.statistics.quality_diversity import Quality, mean_novelty, niche_novelty, opening_share, quality
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
from speciate.statistics.shares import wilson

__all__ = [
    "Alternative",
    "Band",
    "Diversity",
    "Interval",
    "Method",
    "Mixture",
    "Pair",
    "Quality",
    "RankTest",
    "Statistic",
    "Test",
    "affinity",
    "area_under_curve",
    "band",
    "best_so_far",
    "bootstrap_interval",
    "cell_distributions",
    "check_installed",
    "compare_groups",
    "contrast_interval",
    "diversity",
    "expected_cells",
    "expected_mixtures",
    "holm",
    "jensen_shannon",
    "least_p",
    "least_paired_p",
    "mann_whitney",
    "mean_novelty",
    "niche_novelty",
    "normalised",
    "on_grid",
    "opening_share",
    "overlap",
    "quality",
    "seeds_needed",
    "signed_rank",
    "vendi_score",
    "wilson",
]
