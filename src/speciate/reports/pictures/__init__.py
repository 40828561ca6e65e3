"""Draws what the other files of this room compute about one run. Needs matplotlib (extra ``plot``)."""

from speciate.reports.pictures.archive_map import draw_archive_map
from speciate.reports.pictures.branches import draw_branches
from speciate.reports.pictures.by_round import draw_by_round
from speciate.reports.pictures.curve import draw_convergence
from speciate.reports.pictures.distance import draw_distances, running_median
from speciate.reports.pictures.lineage import draw_lineage
from speciate.reports.pictures.pareto import draw_pareto
from speciate.reports.pictures.proposers import draw_shares
from speciate.reports.pictures.rounds import draw_rounds

__all__ = [
    "draw_archive_map",
    "draw_branches",
    "draw_by_round",
    "draw_convergence",
    "draw_distances",
    "draw_lineage",
    "draw_pareto",
    "draw_rounds",
    "draw_shares",
    "running_median",
]
