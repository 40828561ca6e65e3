"""What the engine itself costs: everything but models and candidates.

    python -m bench engine [--quick]

A constant score in the engine's process and scripted replies without delay: diffs, rewrites and crossovers
of a program of 1.5 KB, a new program each time, a history in SQLite, prompts with six inspirations, all
settings but drivers and models at their defaults (`bench.whole` has every part of the search on). Every run
has an interpreter of its own. CPU time is that of the whole process, so a busy machine adds little.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from bench import workload
from bench.report import Report, Row, at_most, fresh, memory_mb, plain
from typing_extensions import override

from speciate.engine import GENETIC, BudgetConfig, Observer, PipelineConfig, RunConfig, evolve
from speciate.engine.settings import Layer, compose
from speciate.records import Event, Placed, RejectedEvent

Kind = Literal["sequential", "ordinal", "arrival", "genetic", "whole", "simulated"]

ORDERS: tuple[Kind, ...] = ("sequential", "ordinal", "arrival", "genetic")

WHOLE: Layer = {
    "bandit": {"kind": "ucb", "arms": "pairs"},
    "scratchpad": {"enabled": True, "model": "simulated:bold"},
    "novelty": {"embedding": "paths"},
    "population": {"islands": 2, "migration_fraction": 0.1, "dynamic": {"stagnation": 500, "most": 4}},
}
"""Every part of the search at once; the scratchpad's keeper is a simulated one."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What one run cost.

    Attributes:
        cpu_ms: CPU time a candidate, from the first placed to the last, in milliseconds.
        growth: mean gap between placements (CPU time) in the last fifth over that in the first fifth.
        memory_mb: peak resident memory.
        before_mb: resident memory before the run began, with all imports and all replies read.
        store_kb: kilobytes of the closed run folder a candidate.
        refused: attempts turned away, a candidate.
    """

    cpu_ms: float
    growth: float
    memory_mb: float
    before_mb: float
    store_kb: float
    refused: float


class Clock(Observer):
    """Notes the CPU time at which each candidate was placed, and counts attempts that were turned away."""

    def __init__(self) -> None:
        self.placed: list[float] = []
        self.refused = 0

    @override
    def on_event(self, event: Event) -> None:
        if isinstance(event, Placed):
            self.placed.append(time.process_time())
        self.refused += isinstance(event, RejectedEvent)


def config(kind: Kind, candidates: int, script: Path) -> RunConfig:
    """Returns the settings of a run: the defaults but for driver and models."""
    models = {"genetic": (GENETIC,), "simulated": ("simulated:careful", "simulated:bold")}
    plain_run = RunConfig(
        driver="sequential" if kind in ("sequential", "genetic") else "pipeline",
        models=models.get(kind, (f"scripted:{script}",)),
        budget=BudgetConfig(candidates=candidates),
        pipeline=PipelineConfig(in_flight=16, order="arrival" if kind == "arrival" else "ordinal"),
    )
    return compose([WHOLE], base=plain_run) if kind in ("whole", "simulated") else plain_run


def cost(kind: Kind, candidates: int) -> Cost:
    """Runs once and measures. Meant for `fresh`."""
    clock = Clock()
    with tempfile.TemporaryDirectory() as temporary:
        folder, script = Path(temporary) / "run", Path(temporary) / "replies.jsonl"
        if kind not in ("genetic", "simulated"):
            workload.write_script(script, candidates)
        before = memory_mb("VmRSS")
        evolved = evolve(workload.task(), config(kind, candidates, script), folder=folder, observers=[clock])
        assert evolved.stop_reason == "candidates", evolved.stop_reason
        size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    gaps = [later - sooner for sooner, later in zip(clock.placed, clock.placed[1:], strict=False)]
    fifth = len(gaps) // 5
    return Cost(
        cpu_ms=1e3 * statistics.mean(gaps),
        growth=statistics.mean(gaps[-fifth:]) / statistics.mean(gaps[:fifth]),
        memory_mb=memory_mb(),
        before_mb=before,
        store_kb=size / candidates / 1000,
        refused=clock.refused / candidates,
    )


def run(*, quick: bool = False) -> Report:
    """Measures every way of driving, one after the other and over again."""
    few, rounds, many = (300, 3, 2_000) if quick else (1_000, 5, 20_000)
    found: dict[str, list[Cost]] = {kind: [] for kind in ORDERS}
    for _ in range(rounds):
        for kind in ORDERS:
            found[kind].append(fresh(cost, kind, few))
    long: dict[str, list[Cost]] = {kind: [fresh(cost, kind, many)] for kind in ORDERS}
    rows = [*_rows(few, found, 1.2), *_rows(many, long, 1.3)]
    data = {
        str(count): {kind: [asdict(one) for one in costs] for kind, costs in table.items()}
        for count, table in ((few, found), (many, long))
    }
    about = "CPU, memory and disk of the engine alone; gaps are last fifth over first fifth"
    return Report("engine", about, rows, data)


def _rows(count: int, table: dict[str, list[Cost]], growth: float) -> list[Row]:
    rows: list[Row] = []
    for kind, costs in table.items():
        name = f"{kind}, {count:,}"
        rows += [
            at_most(f"{name}: CPU a candidate", (c.cpu_ms for c in costs), 5, "ms"),
            at_most(f"{name}: gap ratio", (c.growth for c in costs), growth),
            at_most(f"{name}: memory", (c.memory_mb for c in costs), 150, "MB"),
            plain(f"{name}: memory before the run", (c.before_mb for c in costs), "MB"),
            at_most(f"{name}: disk a candidate", (c.store_kb for c in costs), 3, "kB"),
        ]
    return rows
