"""Names that evaluation scripts import from here."""

from .configs import EvolutionConfig, EvolutionRunner, ShinkaEvolveRunner
from .wrap_eval import DEFAULT_METRICS_ON_ERROR, load_program, run_shinka_eval, save_json_results

__all__ = [
    "DEFAULT_METRICS_ON_ERROR",
    "EvolutionConfig",
    "EvolutionRunner",
    "ShinkaEvolveRunner",
    "load_program",
    "run_shinka_eval",
    "save_json_results",
]
