"""What a run came to: data first, pictures second. Reads the store and never the engine."""

from speciate.reports.archive_map import ArchiveMap, archive_map
from speciate.reports.convergence import Convergence, Milestone, convergence, milestones
from speciate.reports.costs import Timing, Work, by_operator, by_proposer, timing
from speciate.reports.failures import FailureRow, RejectionRow, failures, rejections
from speciate.reports.lineage import Lineage, OperatorShare, PathStep, lineage, operators_along, path_to
from speciate.reports.manifest import RunFacts, read_facts
from speciate.reports.page import write_report
from speciate.reports.pareto import ParetoFront, pareto_front
from speciate.reports.pictures import draw_archive_map, draw_convergence, draw_lineage, draw_pareto
from speciate.reports.remarks import remarks
from speciate.reports.staleness import Staleness, staleness
from speciate.reports.status import RunStatus
from speciate.reports.summary import (
    ArchiveSummary,
    BestCandidate,
    RoundSummary,
    Summary,
    Uncertain,
    summarise,
)
from speciate.reports.words import dollars, exact, number

__all__ = [
    "ArchiveMap",
    "ArchiveSummary",
    "BestCandidate",
    "Convergence",
    "FailureRow",
    "Lineage",
    "Milestone",
    "OperatorShare",
    "ParetoFront",
    "PathStep",
    "RejectionRow",
    "RoundSummary",
    "RunFacts",
    "RunStatus",
    "Staleness",
    "Summary",
    "Timing",
    "Uncertain",
    "Work",
    "archive_map",
    "by_operator",
    "by_proposer",
    "convergence",
    "dollars",
    "draw_archive_map",
    "draw_convergence",
    "draw_lineage",
    "draw_pareto",
    "exact",
    "failures",
    "lineage",
    "milestones",
    "number",
    "operators_along",
    "pareto_front",
    "path_to",
    "read_facts",
    "rejections",
    "remarks",
    "staleness",
    "summarise",
    "timing",
    "write_report",
]
