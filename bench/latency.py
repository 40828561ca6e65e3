"""How well many model calls overlap: 64 in flight in one process, 640 candidates.

    python -m bench latency [--quick]

Scripted replies that take a second on average, always the same or lognormal (σ = 0.5 and 1), in both orders
of the pipeline. Three shares are told; the first is the goal's number:

- of ideal throughput: the time that 64 slots without any overhead need which take up the same calls as they
  come, over the run's time. Nobody who does not know latencies beforehand can do better on average;
- of all latency / 64: the same against a bound that is out of reach. At the end of a run the last calls are
  waited for while nothing is left to begin: with σ = 1 one call alone may last longer than this whole bound;
- busy: calls in flight over 64, on average, until the last call was sent.
"""

from __future__ import annotations

import heapq
import math
import random
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from bench import workload
from bench.report import Report, Row, at_least, at_most, fresh, memory_mb, plain
from typing_extensions import override

from speciate.engine import BudgetConfig, Observer, PipelineConfig, RunConfig, evolve
from speciate.records import Asked, Event, Ordinal, Replied

Order = Literal["ordinal", "arrival"]

IN_FLIGHT = 64
CANDIDATES = 640
SIGMAS = (0.0, 0.5, 1.0)


@dataclass(frozen=True, slots=True)
class Share:
    """What one run made of its slots: see the module for the three shares; CPU seconds and peak megabytes."""

    of_ideal: float
    of_bound: float
    busy: float
    seconds: float
    cpu_seconds: float
    memory_mb: float


class Calls(Observer):
    """Notes when each call was sent and when it came back."""

    def __init__(self) -> None:
        self.sent: dict[Ordinal, float] = {}
        self.back: dict[Ordinal, float] = {}

    @override
    def on_event(self, event: Event) -> None:
        if isinstance(event, Asked):
            self.sent[event.ordinal] = time.perf_counter()
        elif isinstance(event, Replied):
            self.back[event.ordinal] = time.perf_counter()

    def busy(self) -> float:
        """Returns the mean share of slots in use from the first call sent to the last."""
        first, last = min(self.sent.values()), max(self.sent.values())
        used = sum(min(self.back[o], last) - sent for o, sent in self.sent.items())
        return used / (last - first) / IN_FLIGHT

    def span(self) -> float:
        """Returns the seconds from the first call sent to the last that came back."""
        return max(self.back.values()) - min(self.sent.values())


def latencies(sigma: float, mean: float) -> list[float]:
    """Returns as many latencies as there are candidates, lognormal with the given mean in seconds."""
    rng = random.Random(7)
    drawn = [math.exp(rng.gauss(-(sigma**2) / 2, sigma)) for _ in range(CANDIDATES)]
    return [mean * one * CANDIDATES / sum(drawn) for one in drawn]


def ideal(waits: Sequence[float]) -> float:
    """Returns how long slots without overhead need that take up the next call as soon as they are free."""
    free = [0.0] * IN_FLIGHT
    for wait in waits:
        heapq.heapreplace(free, free[0] + wait)
    return max(free)


def share(order: Order, sigma: float, mean: float) -> Share:
    """Runs once and measures. Meant for `fresh`."""
    calls = Calls()
    waits = latencies(sigma, mean)
    with tempfile.TemporaryDirectory() as temporary:
        script = Path(temporary) / "replies.jsonl"
        workload.write_script(script, CANDIDATES, delays=waits)
        config = RunConfig(
            driver="pipeline",
            models=(f"scripted:{script}",),
            budget=BudgetConfig(candidates=CANDIDATES),
            pipeline=PipelineConfig(in_flight=IN_FLIGHT, order=order),
        )
        cpu = time.process_time()
        evolve(workload.task(), config, folder=Path(temporary) / "run", observers=[calls])
        cpu = time.process_time() - cpu
    assert len(calls.back) == CANDIDATES, "a candidate was asked for twice"
    dealt = [calls.back[o] - calls.sent[o] for o in sorted(calls.sent, key=calls.sent.__getitem__)]
    return Share(
        of_ideal=ideal(dealt) / calls.span(),
        of_bound=sum(dealt) / IN_FLIGHT / calls.span(),
        busy=calls.busy(),
        seconds=calls.span(),
        cpu_seconds=cpu,
        memory_mb=memory_mb(),
    )


def run(*, quick: bool = False) -> Report:
    """Measures both orders under each spread of latency."""
    mean, rounds = (0.2, 1) if quick else (1.0, 3)
    orders: tuple[Order, ...] = ("arrival", "ordinal")
    cases = [(order, sigma) for order in orders for sigma in SIGMAS]
    found: dict[tuple[Order, float], list[Share]] = {case: [] for case in cases}
    for _ in range(rounds):
        for order, sigma in cases:
            found[order, sigma].append(fresh(share, order, sigma, mean))
    rows = [row for (order, sigma), shares in found.items() for row in _rows(order, sigma, shares)]
    memory = max(one.memory_mb for shares in found.values() for one in shares)
    rows.append(at_most("memory, the most of all runs", [memory], 150, "MB"))
    data = {f"{order} {sigma:g}": [asdict(one) for one in shares] for (order, sigma), shares in found.items()}
    about = f"{IN_FLIGHT} calls of {mean:g} s in flight, {CANDIDATES} candidates, window {4 * IN_FLIGHT}"
    return Report("latency", about, rows, {"mean_latency": mean, "runs": data})


def _rows(order: Order, sigma: float, shares: Sequence[Share]) -> list[Row]:
    name = f"{order}, {f'lognormal σ = {sigma:g}' if sigma else 'constant'}"
    label, share_of_ideal = f"{name}: of ideal throughput", [one.of_ideal for one in shares]
    promised = order == "arrival" or not sigma
    return [
        at_least(label, share_of_ideal, 0.9) if promised else plain(label, share_of_ideal),
        plain(f"{name}: of all latency / {IN_FLIGHT}", (one.of_bound for one in shares)),
        plain(f"{name}: busy", (one.busy for one in shares)),
    ]
