"""Curves, tests and intervals: what several runs say together."""

from speciate.statistics.bootstrap import Interval, Statistic, bootstrap_interval
from speciate.statistics.curves import Band, area_under_curve, band, best_so_far
from speciate.statistics.ranks import RankTest, holm, mann_whitney

__all__ = [
    "Band",
    "Interval",
    "RankTest",
    "Statistic",
    "area_under_curve",
    "band",
    "best_so_far",
    "bootstrap_interval",
    "holm",
    "mann_whitney",
]
