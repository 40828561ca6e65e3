"""Running untrusted programs and judging what they answer."""

from speciate.evaluators.base import Evaluator
from speciate.evaluators.build import EvaluationConfig, build_evaluator, build_outcome_cache, evaluator_hash
from speciate.evaluators.cache import CaseCache, OutcomeCache
from speciate.evaluators.jobs import Case, CaseReport, CommandReport, Job, Report
from speciate.evaluators.trusted import TrustedEvaluator

__all__ = [
    "Case",
    "CaseCache",
    "CaseReport",
    "CommandReport",
    "EvaluationConfig",
    "Evaluator",
    "Job",
    "OutcomeCache",
    "Report",
    "TrustedEvaluator",
    "build_evaluator",
    "build_outcome_cache",
    "evaluator_hash",
]
