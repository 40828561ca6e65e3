"""CPU cost of archives and selection.

python -m bench archives [--quick]
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from bench.report import Report, plain

from speciate.archives import (
    Archive,
    CVTArchive,
    EliteList,
    GridArchive,
    ParetoArchive,
    Population,
    spread,
)
from speciate.records import Axis, Member
from speciate.seeds import stream
from speciate.selection import InspirationConfig, OccupantsView, Weighted, draw_inspirations

AXES = [Axis.uniform("x", 0, 1, 40), Axis.uniform("y", 0, 1, 25)]  # 1,000 cells
MAKERS: dict[str, Callable[[], Archive]] = {
    "elites_40": lambda: EliteList(40),
    "pareto_40": lambda: ParetoArchive(40),
    "grid_1000": lambda: GridArchive(AXES),
    "cvt_1000": lambda: CVTArchive([(0, 1), (0, 1)], CENTROIDS),
}
STREAM = (
    12_000  # the second half is measured: archives are full then, and about one in a hundred still enters
)
REPEATS = 3


def members(seed: int) -> list[Member]:
    rng = stream(seed, 0, "bench")
    scores, points = rng.normal(size=(STREAM, 2)), rng.random((STREAM, 2))
    # A slow drift upwards, so that newcomers keep entering as in a run that goes on improving.
    return [
        Member(i, (float(s[0]) + 3 * i / STREAM, float(s[1])), (float(p[0]), float(p[1])))
        for i, (s, p) in enumerate(zip(scores, points, strict=True))
    ]


def measure(make: Callable[[], Archive], seed: int) -> dict[str, float]:
    """CPU microseconds a candidate: placing it, and drawing its parent and inspirations."""
    population = Population([make()])
    view, policy, config = OccupantsView(population), Weighted(), InspirationConfig()
    rng, half = stream(seed, 0, "bench draws"), STREAM // 2
    spent = {"place": 0, "parent": 0, "inspirations": 0}
    kept = 0
    for index, member in enumerate(members(seed)):
        start = time.process_time_ns()
        placements = population.decide(member, (0,))
        population.apply(member, placements)
        placed = time.process_time_ns()
        parent = policy.draw(view.of(0), rng)
        population.note_offspring(parent)
        drawn = time.process_time_ns()
        draw_inspirations(view.of(0), (parent,), config, rng)
        inspired = time.process_time_ns()
        if index >= half:
            kept += placements[0][1].kept
            spent["place"] += placed - start
            spent["parent"] += drawn - placed
            spent["inspirations"] += inspired - drawn
    return {name: total / half / 1000 for name, total in spent.items()} | {"kept_share": kept / half}


def centroids_ms() -> float:
    start = time.process_time_ns()
    spread(1000, 2, 1)
    return (time.process_time_ns() - start) / 1e6


CENTROIDS: np.ndarray = spread(1000, 2)


def run(*, quick: bool = False) -> Report:
    """Measures every kind of archive."""
    repeats = 1 if quick else REPEATS
    runs = {name: [measure(make, seed) for seed in range(repeats)] for name, make in MAKERS.items()}
    rows = [
        plain(f"{name}: {key}", (one[key] for one in found), "" if key == "kept_share" else "µs")
        for name, found in runs.items()
        for key in found[0]
    ]
    rows.append(plain("centroids of 1,000 cells", [centroids_ms()], "ms"))
    return Report("archives", "CPU a candidate of archives and selection", rows, runs)
