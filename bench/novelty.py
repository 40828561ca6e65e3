"""What it takes to compare a program with earlier ones.

    python -m bench novelty [--quick]

Programs of 1.5 KB that differ in a few numbers, as diffs of models leave them; one is embedded and compared
with an archive and the last 1,000 programs. CPU of one process; wall time, too: the search reads megabytes.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable
from functools import partial

import numpy as np
import numpy.typing as npt
from bench.report import Report, Row, at_most, fresh, memory_mb, plain
from bench.workload import lines, source, task
from typing_extensions import override

from speciate.novelty import (
    NoveltyConfig,
    NoveltyMemory,
    PathVectors,
    Screening,
    SimilarityFilter,
    Vector,
    embed,
)
from speciate.records import Ordinal, Program
from speciate.seeds import stream
from speciate.tasks import TaskSpec

CHECKS = 40
RECENT = 1000


class Made(PathVectors):
    """Our own embedding for newcomers, beside earlier programs of which there are nothing but vectors."""

    def __init__(self, rows: npt.NDArray[np.int32], spec: TaskSpec) -> None:
        super().__init__(_no_program, spec)
        self._rows = rows

    @override
    def earlier(self, ordinal: Ordinal) -> Vector | None:
        row: Vector = self._rows[ordinal]
        return row


def _no_program(ordinal: Ordinal) -> Program:
    raise AssertionError(f"candidate {ordinal} has nothing but a vector")


def programs(count: int) -> list[Program]:
    """Returns programs, each with one line more that was rewritten."""
    rng = random.Random(7)
    places = lines(rng)
    made = []
    for _ in range(count):
        places[rng.randrange(len(places))] = lines(rng)[0]
        made.append(Program.of({"initial.py": source(list(places))}))
    return made


def embedding_ms() -> float:
    some, spec = programs(100), task().spec
    start = time.process_time_ns()
    for program in some:
        embed(program, spec)
    return (time.process_time_ns() - start) / len(some) / 1e6


def checks(size: int, seed: int) -> dict[str, float]:
    """Returns the medians of checks among `size` programs, all but the last 1,000 of them in the archive.

    Most vectors are random: to make ten thousand programs would take longer than everything else here.
    """
    rng = np.random.default_rng(seed)
    spec, memory, newcomers = task().spec, NoveltyMemory(watches=True), programs(CHECKS + 1)
    rows = rng.integers(-200, 200, size=(size, len(embed(newcomers[0], spec)))).astype(np.int32)
    for ordinal in range(size):
        memory.note(ordinal, 0, "")
    config = NoveltyConfig(embedding="paths", recent=RECENT)
    chain = SimilarityFilter(config, memory, Made(rows, spec), None)
    before = memory_mb("VmRSS")
    cpu, wall = [], []

    async def all_checks() -> None:
        for number, program in enumerate(newcomers):
            screening = Screening(program, size + number, 0, size, partial(stream, 1, number))
            memory.chosen(screening.ordinal, np.arange(max(0, size - RECENT)))
            began, start = time.perf_counter_ns(), time.process_time_ns()
            await chain.check(screening)
            cpu.append((time.process_time_ns() - start) / 1e6)
            wall.append((time.perf_counter_ns() - began) / 1e6)

    asyncio.run(all_checks())
    return {
        "cpu": float(np.median(cpu[1:])),
        "wall": float(np.median(wall[1:])),
        "first": cpu[0],
        "memory": memory_mb("VmRSS") - before,
    }


def run(*, quick: bool = False) -> Report:
    """Measures embedding and search."""
    repeats = 1 if quick else 5
    rows: list[Row] = [plain("embedding a program of 1.5 KB", _times(repeats, embedding_ms), "ms")]
    found = {size: [fresh(checks, size, seed) for seed in range(repeats)] for size in (1000, 10_000)}
    for size, runs in found.items():
        name = f"a check among {size:,} vectors"
        goal = partial(at_most, limit=5.0) if size == 10_000 else plain
        rows += [
            goal(f"{name}, CPU", [one["cpu"] for one in runs], unit="ms"),
            plain(f"{name}, wall", [one["wall"] for one in runs], "ms"),
            plain(f"memory of {size:,} vectors", [one["memory"] for one in runs], "MB"),
        ]
    return Report(
        "novelty", "Comparing a program with its island", rows, {str(k): v for k, v in found.items()}
    )


def _times(repeats: int, measure: Callable[[], float]) -> list[float]:
    return [measure() for _ in range(repeats)]
