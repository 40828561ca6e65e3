"""Experiments: task × conditions × seeds at an equal budget, and what they show and do not show."""

from speciate.experiments.analysis import (
    ConditionResult,
    Interaction,
    TaskResult,
    analyse,
    planned_pairs,
)
from speciate.experiments.cautions import cautions
from speciate.experiments.estimate import estimate
from speciate.experiments.experiment import (
    RESULTS,
    Concluded,
    ConcludedMerged,
    Experiment,
    conclude,
    conclude_merged,
    conduct,
    cores,
    open_experiment,
)
from speciate.experiments.jobs import DEFAULTS, Job, check_jobs, plan_jobs
from speciate.experiments.manifest import MANIFEST
from speciate.experiments.merged import Analysis, condition_rows, gains, merged_cautions
from speciate.experiments.page import write_results
from speciate.experiments.plan import (
    BudgetPlan,
    ConditionConfig,
    MeasureConfig,
    MergedConfig,
    Plan,
    PublishedConfig,
    load_plan,
    shipped_plans,
)
from speciate.experiments.results import Measured, Missing, Results, read_results
from speciate.experiments.runner import Ended, Listener, State, run_jobs, state_of
from speciate.experiments.tables import ConditionSummary, result_tables, summary_of
from speciate.experiments.writing import Written

__all__ = [
    "DEFAULTS",
    "MANIFEST",
    "RESULTS",
    "Analysis",
    "BudgetPlan",
    "Concluded",
    "ConcludedMerged",
    "ConditionConfig",
    "ConditionResult",
    "ConditionSummary",
    "Ended",
    "Experiment",
    "Interaction",
    "Job",
    "Listener",
    "MeasureConfig",
    "Measured",
    "MergedConfig",
    "Missing",
    "Plan",
    "PublishedConfig",
    "Results",
    "State",
    "TaskResult",
    "Written",
    "analyse",
    "cautions",
    "check_jobs",
    "conclude",
    "conclude_merged",
    "condition_rows",
    "conduct",
    "cores",
    "estimate",
    "gains",
    "load_plan",
    "merged_cautions",
    "open_experiment",
    "plan_jobs",
    "planned_pairs",
    "read_results",
    "result_tables",
    "run_jobs",
    "shipped_plans",
    "state_of",
    "summary_of",
    "write_results",
]
