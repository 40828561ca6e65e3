"""What an ensemble costs beside as many runs that know nothing of each other, and what a slow node costs it.

    python -m bench ensemble [--quick]

**Against independent runs.** Four nodes with the four genetic priors of Core War, with rules and protocol of
Digital Red Queen (preset `paper/drq`), in one process; and the same nodes, seeds and settings as four runs in
four processes that begin at the same moment and share the cores. Rounds of both kinds take turns. A champion
is an opponent of the rounds after, and a battle with more warriors takes longer: in both the company has room
for one champion, so battles are of equal size. Still each search meets other warriors, and some fight longer
than others; so the use of the cores and the CPU an evaluation are told too. Imports and the first use of
compiled code come before the clock starts.

**A slow node.** Three nodes whose model answers after 20 ms, on the wall clock, and a fourth whose model
answers as fast, or takes 100 times as long, or that is not there at all. Timed is how long the three take for
their rounds. On the virtual clock the fourth declares it, and the others' times must be what they were.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, replace
from multiprocessing import get_context
from pathlib import Path
from threading import Barrier
from typing import Literal

from bench.report import Report, Row, at_least, at_most, fresh, plain
from typing_extensions import override

from speciate.engine import Observer, RunConfig
from speciate.engine.settings import Layer, compose, load_preset
from speciate.ensembles import evolve, evolve_ensemble
from speciate.ensembles.members import members_of
from speciate.problems.corewar import assemble, battle
from speciate.problems.corewar.parameters import Conditions
from speciate.records import Drained, Evaluated, Event, Json, Seconds
from speciate.tasks import Task, load_task
from speciate.testing.knobs import axes, knobs_task, write_script

PRIORS = ("bomber", "replicator", "scanner", "imp_clear")
OPPONENTS = 8
LOSS, SLOWDOWN = 0.10, 0.05
FAST: Seconds = 0.02
TIMES = 100
LONGER: Seconds = 7.0
"""The slow node is stopped after so long, when the others have ended."""

Fourth = Literal["absent", "fast", "slow"]


@dataclass(frozen=True, slots=True)
class Pace:
    """What four searches did together.

    Attributes:
        evaluations: how many ended.
        cpu: seconds of CPU that all of it took, the searches' own work too.
        seconds: from the moment all four began until the last one ended.
    """

    evaluations: int
    cpu: Seconds
    seconds: Seconds

    @property
    def rate(self) -> float:
        """Evaluations a second."""
        return self.evaluations / self.seconds

    @property
    def busy(self) -> float:
        """The share of the cores' time that was used."""
        return self.cpu / self.seconds / len(os.sched_getaffinity(0))

    @property
    def cost(self) -> float:
        """Milliseconds of CPU an evaluation."""
        return 1e3 * self.cpu / self.evaluations


class Counter(Observer):
    """Counts evaluations."""

    def __init__(self) -> None:
        self.evaluations = 0

    @override
    def on_event(self, event: Event) -> None:
        if isinstance(event, Evaluated) and event.cached is None:
            self.evaluations += 1


def settings(seed: int, rounds: int, iterations: int) -> RunConfig:
    """Returns the protocol of Digital Red Queen for four priors, with equally large battles for all."""
    rules: Layer = {
        "seed": seed,
        "task": {"parameters": {"opponents": "initial"}},
        "budget": {"candidates": None},
        "ensemble": {
            "rounds": rounds,
            "iterations": iterations,
            "initial": 0,
            "skip": None,
            "opponents": {"max": OPPONENTS + 1},
            "nodes": {str(n): {"name": name, "model": f"redcode:{name}"} for n, name in enumerate(PRIORS)},
        },
    }
    return compose([load_preset("paper/drq").settings, rules])


def task(config: RunConfig) -> Task:
    """Returns Core War with `OPPONENTS` opponents."""
    loaded = load_task("corewar", config.task.parameters)
    opponents = loaded.context.opponents
    company = tuple(opponents[n % len(opponents)] for n in range(OPPONENTS))
    return replace(loaded, context=replace(loaded.context, opponents=company))


def warm_up(played: Task) -> None:
    """Has compiled code read from its cache, as the first battle does."""
    rules = Conditions.from_json(played.context.settings).settings
    warriors = [assemble(played.initial.source, rules)] * 2
    battle(warriors, rules, rounds=1, protocol="drq", statistics="covered")


def together(config: RunConfig) -> Pace:
    """Four nodes of an ensemble in this process. Meant for `fresh`."""
    played, counter = task(config), Counter()
    warm_up(played)
    with tempfile.TemporaryDirectory() as folder:
        began, cpu = time.monotonic(), time.process_time()
        ended = evolve_ensemble(played, config, folder=Path(folder) / "e", watch=lambda _: [counter])
        cpu, seconds = time.process_time() - cpu, time.monotonic() - began
    assert all(node.error is None for node in ended.nodes)
    return Pace(counter.evaluations, cpu, seconds)


def alone(config: RunConfig, number: int, start: Barrier) -> tuple[int, Seconds, float, float]:
    """One of four runs; returns evaluations, seconds of CPU, and when it began and ended."""
    own = members_of(config)[number].config
    played, counter = task(config), Counter()
    warm_up(played)
    start.wait()
    with tempfile.TemporaryDirectory() as folder:
        began, cpu = time.monotonic(), time.process_time()
        evolve(played, own, folder=Path(folder) / "run", observers=[counter])
        return counter.evaluations, time.process_time() - cpu, began, time.monotonic()


def apart(config: RunConfig) -> Pace:
    """Four runs in four processes that share the cores."""
    context, seats = get_context("spawn"), range(len(PRIORS))
    with context.Manager() as manager, ProcessPoolExecutor(len(PRIORS), mp_context=context) as pool:
        start = manager.Barrier(len(PRIORS))
        ends = [run.result() for run in [pool.submit(alone, config, seat, start) for seat in seats]]
    evaluations, cpu, began, ended = zip(*ends, strict=True)
    return Pace(sum(evaluations), sum(cpu), max(ended) - min(began))


class Finish(Observer):
    """Notes when rounds are over, really and on the virtual clock."""

    def __init__(self) -> None:
        self.last = self.really = 0.0
        self.virtually: list[Seconds | None] = []

    @override
    def on_event(self, event: Event) -> None:
        self.last = time.monotonic()
        if isinstance(event, Drained):
            self.really = self.last
            self.virtually.append(event.at)


@dataclass(frozen=True, slots=True)
class Three:
    """What three nodes needed: seconds, and when their rounds ended on the virtual clock."""

    seconds: Seconds
    virtual: Sequence[Seconds | None]


def three(fourth: Fourth, *, clock: Literal["wall", "virtual"], rounds: int, iterations: int) -> Three:
    """Times three nodes beside a fourth. Meant for `fresh`."""
    names = ["a", "b", "c", *(["d"] if fourth != "absent" else [])]
    finishes = {name: Finish() for name in names}
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        seats = {name: _seat(name, fourth, clock, folder) for name in names}
        rules: Layer = {
            "driver": "sequential",
            "population": {"archive": {"kind": "grid"}},
            "budget": {"candidates": None},
            "llm": {"retry": {"attempts": 1}},
            "ensemble": {
                "rounds": rounds,
                "iterations": iterations,
                "initial": 0,
                "clock": clock,
                "nodes": {str(number): seats[name] for number, name in enumerate(names)},
            },
        }
        played = knobs_task(descriptors=axes())
        began = time.monotonic()
        ended = evolve_ensemble(
            played, compose([rules]), folder=folder / "e", watch=lambda name: [finishes[name]]
        )
    assert all(node.error is None for node in ended.nodes)
    first = [finishes[name] for name in names[:3]]
    over = max(each.really for each in first)
    assert clock == "virtual" or fourth != "slow" or finishes["d"].last > over, (
        "the slow node ended too early"
    )
    return Three(over - began, [at for each in first for at in each.virtually])


def _seat(name: str, fourth: Fourth, clock: str, folder: Path) -> dict[str, Json]:
    """Returns a node's own settings. Whoever is slow ends after the others, before its rounds do."""
    late = name == "d" and fourth == "slow"
    if clock == "virtual":
        return {"name": name, "latency": float(TIMES if late else 1)}
    script = folder / name / "script.jsonl"
    script.parent.mkdir()
    model = write_script(script, delays=[FAST * TIMES if late else FAST])
    return {"name": name, "model": model, "settings": {"budget": {"seconds": LONGER if late else None}}}


def run(*, quick: bool = False) -> Report:
    """Measures both in turns, so that all see the same load."""
    beside, slow = against_runs(quick=quick), beside_a_slow_node(quick=quick)
    data = {"pairs": beside.data, "three": slow.data}
    return Report("ensemble", f"{beside.about}; {slow.about}", [*beside.rows, *slow.rows], data)


def against_runs(*, quick: bool = False) -> Report:
    """Measures four nodes against four runs."""
    rounds, iterations, turns = (2, 6, 2) if quick else (2, 20, 5)
    pairs: list[tuple[Pace, Pace]] = []
    for seed in range(turns):
        config = settings(seed, rounds, iterations)
        pairs.append((fresh(together, config), apart(config)))
    nodes, runs = [one for one, _ in pairs], [four for _, four in pairs]
    rows: list[Row] = [
        at_least(
            "evaluations a second: four nodes over four runs",
            [one.rate / four.rate for one, four in pairs],
            1 - LOSS,
        ),
        plain("use of the cores: four nodes over four runs", [one.busy / four.busy for one, four in pairs]),
    ]
    for name, paces in (("four nodes", nodes), ("four runs", runs)):
        rows += [
            plain(name, [each.rate for each in paces], "evaluations/s"),
            plain(f"{name}: use of the cores", [each.busy for each in paces]),
            plain(f"{name}: CPU an evaluation", [each.cost for each in paces], "ms"),
        ]
    about = f"four priors, {rounds} rounds of {iterations}, {turns} turns"
    return Report("ensemble", about, rows, [[asdict(one), asdict(four)] for one, four in pairs])


def beside_a_slow_node(*, quick: bool = False) -> Report:
    """Measures three nodes beside a fourth."""
    turns = 2 if quick else 5
    size = {"rounds": 2 if quick else 5, "iterations": 5 if quick else 8}
    kinds: tuple[Fourth, ...] = ("fast", "slow", "absent")
    found = [{kind: fresh(three, kind, clock="wall", **size) for kind in kinds} for _ in range(turns)]
    times = {kind: [each[kind].seconds for each in found] for kind in kinds}
    middle = {kind: statistics.median(times[kind]) for kind in kinds}
    virtual = {kind: fresh(three, kind, clock="virtual", **size).virtual for kind in kinds}
    lost = sum(virtual["slow"] != virtual[kind] for kind in kinds)
    rows = [
        at_most(
            f"three nodes beside one {TIMES} times slower, over a fast one",
            [slow / middle["fast"] for slow in times["slow"]],
            1 + SLOWDOWN,
        ),
        plain("the same, over none", [slow / middle["absent"] for slow in times["slow"]]),
        *(plain(f"three nodes, the fourth {kind}", times[kind], "s") for kind in kinds),
        Row("virtual times of the three that differ", lost, "", "0", lost == 0),
    ]
    return Report("ensemble", "three nodes beside a fourth", rows, times)
