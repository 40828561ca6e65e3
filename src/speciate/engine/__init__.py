"""The engine: one candidate's life, the drivers that live many, and everything a run is made of."""

from speciate.engine.budget import BudgetConfig
from speciate.engine.build import build_run
from speciate.engine.config import GENETIC, EnsembleConfig, PipelineConfig, RunConfig, TaskConfig
from speciate.engine.doctor import Diagnosis, Finding, examine
from speciate.engine.epochs import Homes, decide_rescored, in_order, open_epoch
from speciate.engine.lifecycle import Evolution, evolve, live, resume
from speciate.engine.observers import Observer
from speciate.engine.planting import plant
from speciate.engine.proposers import is_model
from speciate.engine.rounds import Course, Rounds
from speciate.engine.run import Approve, Run

__all__ = [
    "GENETIC",
    "Approve",
    "BudgetConfig",
    "Course",
    "Diagnosis",
    "EnsembleConfig",
    "Evolution",
    "Finding",
    "Homes",
    "Observer",
    "PipelineConfig",
    "Rounds",
    "Run",
    "RunConfig",
    "TaskConfig",
    "build_run",
    "decide_rescored",
    "evolve",
    "examine",
    "in_order",
    "is_model",
    "live",
    "open_epoch",
    "plant",
    "resume",
]
