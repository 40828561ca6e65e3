"""What an OpenEvolve evaluator imports, as far as an evaluation needs it."""

from .evaluation_result import EvaluationResult

__all__ = ["EvaluationResult"]
