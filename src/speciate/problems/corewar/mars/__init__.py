"""The simulator: battles in bulk, exact and fast."""

from speciate.problems.corewar.mars.batch import (
    MOST_SEATS,
    Batch,
    Counting,
    Counts,
    Cycles,
    Flags,
    Rules,
    Stop,
    check,
    pack,
)
from speciate.problems.corewar.mars.engines import EngineName, available, check_named, chosen, describe, run
from speciate.problems.corewar.mars.trace import CoreState, Event, Glance, Stepper, kernel_for

__all__ = [
    "MOST_SEATS",
    "Batch",
    "CoreState",
    "Counting",
    "Counts",
    "Cycles",
    "EngineName",
    "Event",
    "Flags",
    "Glance",
    "Rules",
    "Stepper",
    "Stop",
    "available",
    "check",
    "check_named",
    "chosen",
    "describe",
    "kernel_for",
    "pack",
    "run",
]
