"""Running untrusted programs and judging what they answer."""

from speciate.evaluators.agents import AgentEvaluator
from speciate.evaluators.base import Evaluator
from speciate.evaluators.build import EvaluationConfig, build_evaluator, build_outcome_cache, evaluator_hash
from speciate.evaluators.cache import CaseCache, OutcomeCache
from speciate.evaluators.command import CommandEvaluator
from speciate.evaluators.foreign import ForeignEvaluator
from speciate.evaluators.jobs import Case, CaseReport, CommandReport, Job, Report
from speciate.evaluators.plain import PlainEvaluator
from speciate.evaluators.pool import SandboxPool
from speciate.evaluators.runner import CandidateRunner
from speciate.evaluators.split import SplitEvaluator
from speciate.evaluators.trusted import TrustedEvaluator

__all__ = [
    "AgentEvaluator",
    "CandidateRunner",
    "Case",
    "CaseCache",
    "CaseReport",
    "CommandEvaluator",
    "CommandReport",
    "EvaluationConfig",
    "Evaluator",
    "ForeignEvaluator",
    "Job",
    "OutcomeCache",
    "PlainEvaluator",
    "Report",
    "SandboxPool",
    "SplitEvaluator",
    "TrustedEvaluator",
    "build_evaluator",
    "build_outcome_cache",
    "evaluator_hash",
]
