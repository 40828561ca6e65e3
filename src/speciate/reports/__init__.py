"""What a run came to: data first, pictures second. Reads the store and never the engine."""

from speciate.reports.archive_map import ArchiveMap, archive_map
from speciate.reports.bands import Series, draw_bands
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
from speciate.reports.failures import FailureRow, RejectionRow, failures, rejections
from speciate.reports.lineage import Lineage, OperatorShare, PathStep, lineage, operators_along, path_to
from speciate.reports.manifest import RunFacts, read_facts
from speciate.reports.markup import Table, as_html, as_latex, as_markdown, html_list, html_page
from speciate.reports.page import write_report
from speciate.reports.pareto import ParetoFront, pareto_front
from speciate.reports.pictures import draw_archive_map, draw_convergence, draw_lineage, draw_pareto
from speciate.reports.prompts import (
    Asking,
    asking_json,
    asking_lines,
    asking_section,
    prompt_versions,
    read_asking,
)
from speciate.reports.remarks import artificial, remarks
from speciate.reports.scratchpad import (
    Notebook,
    notebook_json,
    notebook_lines,
    read_notebook,
    scratchpad_section,
    worth,
)
from speciate.reports.screens import Gate, gates, screens_json, screens_section, screens_words
from speciate.reports.settings_apart import Difference, differences
from speciate.reports.spending import BudgetCurve, Measure, Unit, budget_curve, budget_grid
from speciate.reports.staleness import Staleness, staleness
from speciate.reports.status import RunStatus, is_held, run_status
from speciate.reports.summary import (
    ArchiveSummary,
    BestCandidate,
    RoundSummary,
    Summary,
    Uncertain,
    summarise,
)
from speciate.reports.tables import plain
from speciate.reports.words import dollars, exact, number

__all__ = [
    "ArchiveMap",
    "ArchiveSummary",
    "Asking",
    "BestCandidate",
    "BudgetCurve",
    "ComparedRun",
    "Comparison",
    "Convergence",
    "Difference",
    "FailureRow",
    "Gate",
    "Group",
    "Lineage",
    "Measure",
    "Milestone",
    "Notebook",
    "OperatorShare",
    "ParetoFront",
    "PathStep",
    "RejectionRow",
    "RoundSummary",
    "RunFacts",
    "RunStatus",
    "Series",
    "Staleness",
    "Summary",
    "Table",
    "Timing",
    "Uncertain",
    "Unit",
    "Work",
    "archive_map",
    "artificial",
    "as_html",
    "as_latex",
    "as_markdown",
    "asking_json",
    "asking_lines",
    "asking_section",
    "axis_label",
    "budget_curve",
    "budget_grid",
    "by_operator",
    "by_proposer",
    "compare_runs",
    "comparison_json",
    "comparison_page",
    "convergence",
    "differences",
    "dollars",
    "draw_archive_map",
    "draw_bands",
    "draw_comparison",
    "draw_convergence",
    "draw_figure",
    "draw_lineage",
    "draw_pareto",
    "drawable",
    "exact",
    "failures",
    "gates",
    "html_list",
    "html_page",
    "is_held",
    "lineage",
    "milestones",
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
    "prompt_versions",
    "read_asking",
    "read_facts",
    "read_notebook",
    "rejections",
    "remarks",
    "run_status",
    "scratchpad_section",
    "screens_json",
    "screens_section",
    "screens_words",
    "staleness",
    "summarise",
    "timing",
    "worth",
    "write_comparison",
    "write_report",
]
