"""What a run came to: data first, pictures second. Reads the store and never the engine."""

from speciate.reports.archive_map import ArchiveMap, archive_map
from speciate.reports.as_json import plain_json, report_json
from speciate.reports.bands import Series, draw_bands
from speciate.reports.branches import Branches, branches, effective_number
from speciate.reports.canvas import axis_label, draw_figure, drawable
from speciate.reports.compare import ComparedRun, Comparison, Group, compare_runs
from speciate.reports.compare_page import (
    comparison_json,
    comparison_page,
    draw_comparison,
    not_shown,
    outward_interval,
    pair_json,
    pairs_table,
    write_comparison,
)
from speciate.reports.convergence import Convergence, Milestone, convergence, milestones
from speciate.reports.costs import Timing, Work, by_operator, by_proposer, timing
from speciate.reports.endings import Ended, EndingRow, endings
from speciate.reports.ensemble import (
    EnsembleSummary,
    NodeSummary,
    calls_of,
    merged_map,
    missing_words,
    summarise_ensemble,
)
from speciate.reports.ensemble_page import ensemble_page, proposer_cells, write_ensemble_report
from speciate.reports.exchange import Arrival, Exchanged, Link, arrivals, exchanged, links
from speciate.reports.failures import FailureRow, RejectionRow, failures, rejections
from speciate.reports.islands import IslandRow, island_rows
from speciate.reports.lineage import Lineage, OperatorShare, PathStep, lineage, operators_along, path_to
from speciate.reports.manifest import RunFacts, read_facts
from speciate.reports.markup import Table, as_html, as_latex, as_markdown, html_list, html_page
from speciate.reports.page import WrittenReport, make_report, write_report
from speciate.reports.pareto import ParetoFront, pareto_front
from speciate.reports.pictures import (
    draw_archive_map,
    draw_branches,
    draw_convergence,
    draw_distances,
    draw_lineage,
    draw_pareto,
    draw_rounds,
    draw_shares,
)
from speciate.reports.prompts import (
    Asking,
    asking_json,
    asking_lines,
    asking_section,
    prompt_versions,
    read_asking,
)
from speciate.reports.remarks import artificial, remarks
from speciate.reports.report import Report, read_report
from speciate.reports.scratchpad import (
    Notebook,
    notebook_json,
    notebook_lines,
    read_notebook,
    scratchpad_section,
    worth,
)
from speciate.reports.screens import Gate, gates, screens_json, screens_section, screens_words
from speciate.reports.sections import SectionName, single_json, single_section
from speciate.reports.seed_distance import DistanceRow, SeedDistances, distance_rows, seed_distances
from speciate.reports.settings_apart import Difference, differences
from speciate.reports.shares import ProposerShares, proposer_shares
from speciate.reports.spending import BudgetCurve, Measure, Unit, budget_curve, budget_grid
from speciate.reports.staleness import Staleness, staleness
from speciate.reports.status import RunStatus, is_held, run_status
from speciate.reports.stepping_stones import Rank, RankRow, SteppingStones, Use, stepping_stones
from speciate.reports.summary import (
    ArchiveSummary,
    BestCandidate,
    RoundSummary,
    Summary,
    Uncertain,
    earlier_round,
    summarise,
)
from speciate.reports.tables import plain
from speciate.reports.timeline import Snapshot, Standing, Timeline, timeline
from speciate.reports.tried_again import TriedAgain, tried_again
from speciate.reports.unusable import ReplyRow, Streak, most_replies, unusable_replies
from speciate.reports.words import dollars, exact, number, scored_in, share

__all__ = [
    "ArchiveMap",
    "ArchiveSummary",
    "Arrival",
    "Asking",
    "BestCandidate",
    "Branches",
    "BudgetCurve",
    "ComparedRun",
    "Comparison",
    "Convergence",
    "Difference",
    "DistanceRow",
    "Ended",
    "EndingRow",
    "EnsembleSummary",
    "Exchanged",
    "FailureRow",
    "Gate",
    "Group",
    "IslandRow",
    "Lineage",
    "Link",
    "Measure",
    "Milestone",
    "NodeSummary",
    "Notebook",
    "OperatorShare",
    "ParetoFront",
    "PathStep",
    "ProposerShares",
    "Rank",
    "RankRow",
    "RejectionRow",
    "ReplyRow",
    "Report",
    "RoundSummary",
    "RunFacts",
    "RunStatus",
    "SectionName",
    "SeedDistances",
    "Series",
    "Snapshot",
    "Staleness",
    "Standing",
    "SteppingStones",
    "Streak",
    "Summary",
    "Table",
    "Timeline",
    "Timing",
    "TriedAgain",
    "Uncertain",
    "Unit",
    "Use",
    "Work",
    "WrittenReport",
    "archive_map",
    "arrivals",
    "artificial",
    "as_html",
    "as_latex",
    "as_markdown",
    "asking_json",
    "asking_lines",
    "asking_section",
    "axis_label",
    "branches",
    "budget_curve",
    "budget_grid",
    "by_operator",
    "by_proposer",
    "calls_of",
    "compare_runs",
    "comparison_json",
    "comparison_page",
    "convergence",
    "differences",
    "distance_rows",
    "dollars",
    "draw_archive_map",
    "draw_bands",
    "draw_branches",
    "draw_comparison",
    "draw_convergence",
    "draw_distances",
    "draw_figure",
    "draw_lineage",
    "draw_pareto",
    "draw_rounds",
    "draw_shares",
    "drawable",
    "earlier_round",
    "effective_number",
    "endings",
    "ensemble_page",
    "exact",
    "exchanged",
    "failures",
    "gates",
    "html_list",
    "html_page",
    "is_held",
    "island_rows",
    "lineage",
    "links",
    "make_report",
    "merged_map",
    "milestones",
    "missing_words",
    "most_replies",
    "not_shown",
    "notebook_json",
    "notebook_lines",
    "number",
    "operators_along",
    "outward_interval",
    "pair_json",
    "pairs_table",
    "pareto_front",
    "path_to",
    "plain",
    "plain_json",
    "prompt_versions",
    "proposer_cells",
    "proposer_shares",
    "read_asking",
    "read_facts",
    "read_notebook",
    "read_report",
    "rejections",
    "remarks",
    "report_json",
    "run_status",
    "scored_in",
    "scratchpad_section",
    "screens_json",
    "screens_section",
    "screens_words",
    "seed_distances",
    "share",
    "single_json",
    "single_section",
    "staleness",
    "stepping_stones",
    "summarise",
    "summarise_ensemble",
    "timeline",
    "timing",
    "tried_again",
    "unusable_replies",
    "worth",
    "write_comparison",
    "write_ensemble_report",
    "write_report",
]
