"""How long simulated ensembles take: 1,024 nodes of the real engine in one process, on one core.

    python -m bench simulate [--quick]

The settings are those of DEI (arXiv 2605.27130): uniform parents, persistent grid archives, champions sown in
empty cells; links are drawn anew each round. The task is a text of numbers, cheap to score and to change, so
that what is measured is the engine, the exchange and the merging. Its scores do not hang on company: so
the nodes share a memo of outcomes, and champions that are taken are not evaluated again.
"""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from bench.report import Report, Row, fresh, memory_mb

from speciate.engine import RunConfig
from speciate.engine.settings import compose
from speciate.ensembles.simulate import Point, simulate
from speciate.records import Context, Program, Result
from speciate.tasks import DescriptorSpec, Task, task_from_functions

NODES, ROUNDS, ITERATIONS, LINKS = 1024, 50, 4, 4
LIMIT = 300.0
"""Seconds that issue and design allow."""
GENES = 6
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def score(program: Program, context: Context) -> Result:
    """Scores numbers by how near they are to 1, 2, 3 …; the first and the last one say where they lie."""
    values = [float(text) for text in _NUMBER.findall(program.source)]
    if len(values) != GENES or max(map(abs, values)) > 1e6:
        raise ValueError(f"{GENES} numbers up to a million are expected")
    far = sum((value - target) ** 2 for target, value in enumerate(values, 1))
    return Result((1.0 / (1.0 + far),), descriptor=(values[0], values[-1]))


def numbers_task() -> Task:
    """Returns the task."""
    span = (-10.0, 10.0)
    return task_from_functions(
        name="numbers",
        initial="\n".join("5" for _ in range(GENES)) + "\n",
        score=score,
        language_name="text",
        descriptors=[DescriptorSpec(name=name, range=span, bins=6) for name in ("first", "last")],
        description="Numbers, one a line.",
    )


def settings(nodes: int, rounds: int) -> RunConfig:
    """Returns the settings of an ensemble."""
    return compose(
        [
            {
                "driver": "sequential",
                "population": {"islands": 1, "archive": {"kind": "grid"}},
                "selection": {"policy": "uniform"},
                "inspirations": {"random": 0, "top": 0},
                "novelty": {"fingerprint": False},
                "budget": {"candidates": None},
                "ensemble": {
                    "rounds": rounds,
                    "iterations": ITERATIONS,
                    "initial": 0,
                    "topology": {"kind": "random", "links": LINKS},
                    "nodes": [{"name": f"n{number:04}"} for number in range(nodes)],
                },
            }
        ]
    )


@dataclass(frozen=True, slots=True)
class Measured:
    """One simulation: what it took, and how far it came."""

    seconds: float
    cpu_seconds: float
    nodes: int
    rounds: int
    proposals: int
    candidates: int
    evaluations: int
    reused: int
    memory_mb: float
    end: Point


def one(nodes: int, rounds: int) -> Measured:
    """Simulates once. Meant for `fresh`."""
    task, config = numbers_task(), settings(nodes, rounds)
    before, cpu = time.perf_counter(), time.process_time()
    found = simulate(task, config, every=max(1, rounds // 5))
    return Measured(
        seconds=time.perf_counter() - before,
        cpu_seconds=time.process_time() - cpu,
        nodes=nodes,
        rounds=rounds,
        proposals=nodes * rounds * ITERATIONS,
        candidates=found.candidates,
        evaluations=found.evaluations,
        reused=found.reused,
        memory_mb=memory_mb(),
        end=found.looked.end,
    )


def run(*, quick: bool = False) -> Report:
    """Measures simulations of several sizes; the largest is the one with a goal."""
    sizes = [(16, 50), (64, 50)] if quick else [(16, 50), (128, 50), (NODES, ROUNDS)]
    return report([fresh(one, *size) for size in sizes])


def report(found: Sequence[Measured]) -> Report:
    """Returns the rows of what was measured."""
    rows: list[Row] = []
    for each in found:
        whole = (each.nodes, each.rounds) == (NODES, ROUNDS)
        name = f"{each.nodes:,} nodes x {each.rounds} rounds x T = {ITERATIONS}"
        goal, met = (f"≤ {LIMIT:g}", each.seconds <= LIMIT) if whole else ("", None)
        rows += [
            Row(f"{name}: all", each.seconds, "s", goal, met, f"CPU {each.cpu_seconds:.1f} s"),
            Row(
                f"{name}: a proposal",
                each.seconds / each.proposals * 1000,
                "ms",
                note=f"{each.candidates:,} candidates, those received among them",
            ),
            Row(f"{name}: memory", each.memory_mb, "MB"),
        ]
    about = f"the real engine on the virtual clock, random-{LINKS} links, stores in memory, one shared memo"
    return Report("simulate", about, rows, [asdict(each) for each in found])
