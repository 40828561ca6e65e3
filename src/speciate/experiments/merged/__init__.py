"""Experiments on ensembles: merged archives in one company, and what the conditions come to."""

from speciate.experiments.merged.analysis import Analysis, MeasureResult, Seated, Values, analyse_merged
from speciate.experiments.merged.cautions import gains, merged_cautions
from speciate.experiments.merged.measures import (
    MEASURES,
    MeasuredEnsemble,
    MergedResults,
    read_merged_results,
)
from speciate.experiments.merged.page import write_merged_results
from speciate.experiments.merged.predictions import Predicted, Prediction, Subset
from speciate.experiments.merged.tables import condition_rows

__all__ = [
    "MEASURES",
    "Analysis",
    "MeasureResult",
    "MeasuredEnsemble",
    "MergedResults",
    "Predicted",
    "Prediction",
    "Seated",
    "Subset",
    "Values",
    "analyse_merged",
    "condition_rows",
    "gains",
    "merged_cautions",
    "read_merged_results",
    "write_merged_results",
]
