"""The engine: one candidate's life, the drivers that live many, and everything a run is made of."""

from speciate.engine.asking import asking_alone
from speciate.engine.budget import BudgetConfig
from speciate.engine.build import build_run
from speciate.engine.config import (
    GENETIC,
    EnsembleConfig,
    NodeConfig,
    PipelineConfig,
    RunConfig,
    SharingConfig,
    TaskConfig,
    TopologyConfig,
)
from speciate.engine.doctor import Diagnosis, Finding, examine
from speciate.engine.epochs import Homes, decide_rescored, in_order, open_epoch
from speciate.engine.lifecycle import (
    Evolution,
    begin_run,
    evolution_of,
    evolve,
    live,
    reopen_run,
    resume,
)
from speciate.engine.observers import Observer
from speciate.engine.pipeline import INTERRUPTED
from speciate.engine.planting import plant, plant_received
from speciate.engine.proposers import is_model
from speciate.engine.rounds import Course, Rounds
from speciate.engine.run import Approve, Run
from speciate.engine.signals import interruptible, until_ended
from speciate.engine.virtual import makespan

__all__ = [
    "GENETIC",
    "INTERRUPTED",
    "Approve",
    "BudgetConfig",
    "Course",
    "Diagnosis",
    "EnsembleConfig",
    "Evolution",
    "Finding",
    "Homes",
    "NodeConfig",
    "Observer",
    "PipelineConfig",
    "Rounds",
    "Run",
    "RunConfig",
    "SharingConfig",
    "TaskConfig",
    "TopologyConfig",
    "asking_alone",
    "begin_run",
    "build_run",
    "decide_rescored",
    "evolution_of",
    "evolve",
    "examine",
    "in_order",
    "interruptible",
    "is_model",
    "live",
    "makespan",
    "open_epoch",
    "plant",
    "plant_received",
    "reopen_run",
    "resume",
    "until_ended",
]
