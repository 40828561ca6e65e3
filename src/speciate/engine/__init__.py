"""The engine: one candidate's life, the drivers that live many, and everything a run is made of."""

from speciate.engine.budget import BudgetConfig
from speciate.engine.build import build_run
from speciate.engine.config import GENETIC, PipelineConfig, RunConfig, TaskConfig
from speciate.engine.doctor import Diagnosis, Finding, examine
from speciate.engine.epochs import open_epoch
from speciate.engine.lifecycle import Evolution, evolve, live, resume
from speciate.engine.observers import Observer
from speciate.engine.proposers import is_model
from speciate.engine.run import Approve, Run

__all__ = [
    "GENETIC",
    "Approve",
    "BudgetConfig",
    "Diagnosis",
    "Evolution",
    "Finding",
    "Observer",
    "PipelineConfig",
    "Run",
    "RunConfig",
    "TaskConfig",
    "build_run",
    "evolve",
    "examine",
    "is_model",
    "live",
    "open_epoch",
    "resume",
]
