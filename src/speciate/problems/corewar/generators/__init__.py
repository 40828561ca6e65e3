"""Warriors drawn by strategy: the different minds of an ensemble that needs no model."""

from speciate.problems.corewar.generators.generate import generate, shortest
from speciate.problems.corewar.generators.minds import MINDS, UNIFORM, diluted, mind
from speciate.problems.corewar.generators.priors import (
    STRATEGIES,
    CodePrior,
    ExtraPrior,
    Priors,
    StepPrior,
    Strategy,
)

__all__ = [
    "MINDS",
    "STRATEGIES",
    "UNIFORM",
    "CodePrior",
    "ExtraPrior",
    "Priors",
    "StepPrior",
    "Strategy",
    "diluted",
    "generate",
    "mind",
    "shortest",
]
