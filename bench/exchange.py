"""Champions over a real broker: what is lost, what comes twice, how long they travel, what a round pays.

    python -m bench exchange [--quick]

Eight nodes, each a process with a store on disk, play 200 rounds each. One is killed and started again, one
joins late, and the broker is killed and started again on its store a second later. A ninth end of the log
listens and notes when each announcement arrives; its time of travel begins when the champion was chosen, so
it holds the sender's own write to its store too. In the end each node's store is held against the log: every
champion of the others must be in it, or lie beyond the position up to which it has read.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path

import numpy as np
from bench.report import Report, Row, at_most
from typing_extensions import override

from speciate.engine import Observer, RunConfig
from speciate.engine.settings import compose
from speciate.ensembles import Nats, evolve_node, is_node, read_address, resume_node
from speciate.ensembles.messages import read_announcement
from speciate.evaluators import build_evaluator
from speciate.evaluators.base import Evaluator
from speciate.records import (
    Context,
    Drained,
    Event,
    MessageId,
    Outcome,
    Program,
    Received,
    RoundEnded,
    Seconds,
)
from speciate.store import open_reader
from speciate.testing.knobs import axes, knobs_task
from speciate.testing.nats_server import NatsServer
from speciate.testing.nodes import joined

NODES, ROUNDS = 8, 200
PACE: Seconds = 0.01
"""One evaluation takes so long."""
DOWN: Seconds = 1.0
AROUND: Seconds = 3.0
"""So long after it is back, the broker's outage still counts: connections are made anew."""
ENSEMBLE = "some.ensemble"

TASK = knobs_task(descriptors=axes())


class Paced(Evaluator):
    """Takes a little longer than nothing, as evaluations do."""

    def __init__(self, inner: Evaluator) -> None:
        self._inner = inner
        self.slots = inner.slots

    @override
    async def start(self) -> None:
        await self._inner.start()

    @override
    async def evaluate(self, program: Program, context: Context) -> Outcome:
        await asyncio.sleep(PACE)
        return await self._inner.evaluate(program, context)

    @override
    async def syntax(self, program: Program) -> str | None:
        return await self._inner.syntax(program)

    @override
    async def close(self) -> None:
        await self._inner.close()


class Clock(Observer):
    """Writes down how long each round's publishing and draining took, all writes to the store included."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._ended: float | None = None

    @override
    def on_event(self, event: Event) -> None:
        if isinstance(event, RoundEnded):
            self._ended = time.perf_counter()
        elif isinstance(event, Drained) and self._ended is not None:
            with self._path.open("a") as file:
                file.write(f"{event.round} {event.heard} {time.perf_counter() - self._ended}\n")


@dataclass
class Arrivals:
    """What the onlooker saw: when each announcement came, and how long it had travelled."""

    seen: dict[MessageId, tuple[float, Seconds]] = field(default_factory=dict)
    again: int = 0


def run(*, quick: bool = False) -> Report:
    rounds = 40 if quick else ROUNDS
    with tempfile.TemporaryDirectory() as folder:
        broker = NatsServer(Path(folder) / "broker").start()
        try:
            return asyncio.run(_scene(broker, Path(folder), rounds))
        finally:
            broker.kill()


async def _scene(broker: NatsServer, folder: Path, rounds: int) -> Report:
    onlooker, arrivals = Nats(read_address(broker.url, {})), Arrivals()
    await onlooker.join(joined("onlooker"), own=[])
    looking = asyncio.create_task(_look(onlooker, arrivals))
    names = [f"n{number}" for number in range(NODES)]
    began, length = time.time(), rounds * 0.1
    nodes = {name: _begin(name, folder, broker.url, rounds) for name in names[:-1]}
    await asyncio.sleep(0.2 * length)
    nodes["n0"].kill()
    await asyncio.sleep(0.05 * length)
    nodes["n0"] = _begin("n0", folder, broker.url, rounds)
    nodes[names[-1]] = _begin(names[-1], folder, broker.url, rounds)
    await asyncio.sleep(0.2 * length)
    broker.kill()
    down = time.time()
    await asyncio.sleep(DOWN)
    broker.start()
    up = time.time()
    await asyncio.to_thread(_join, list(nodes.values()))
    seconds = time.time() - began
    await asyncio.sleep(1.0)
    looking.cancel()
    accounts = [await _account(folder / name, broker.url, arrivals.seen) for name in names]
    await onlooker.leave(patience=0.0)
    return _report(arrivals, accounts, names, folder, rounds, (down, up), seconds)


async def _look(onlooker: Nats, arrivals: Arrivals) -> None:
    position = 0.0
    while True:
        reading = await onlooker.read(position, until=None, senders=None)
        position, now = reading.position, time.time()
        for heard in reading.heard:
            announced = read_announcement(heard.data)
            arrivals.again += announced.id in arrivals.seen
            arrivals.seen.setdefault(announced.id, (announced.at, now - announced.at))
        await asyncio.sleep(0.001)


def _begin(name: str, folder: Path, url: str, rounds: int) -> BaseProcess:
    process = get_context("spawn").Process(target=_live, args=(name, folder, url, rounds))
    process.start()
    return process


def _live(name: str, folder: Path, url: str, rounds: int) -> None:
    """Lives one node in this process; goes on with it if it was begun."""
    own, transport = folder / name, Nats(read_address(url, {}))
    evaluator, observers = (
        Paced(build_evaluator(TASK, RunConfig().evaluation)),
        [Clock(folder / f"{name}.times")],
    )
    if is_node(own):
        resume_node(own, transport=transport, task=TASK, observers=observers, evaluator=evaluator)
        return
    config = compose(
        [
            {
                "seed": int(name[1:]),
                "driver": "sequential",
                "population": {"archive": {"kind": "grid"}},
                "budget": {"candidates": None},
                "ensemble": {
                    "name": ENSEMBLE,
                    "clock": "wall",
                    "rounds": rounds,
                    "iterations": 5,
                    "initial": 0,
                },
            }
        ]
    )
    evolve_node(
        TASK,
        config,
        name=name,
        transport=transport,
        place=url,
        folder=own,
        observers=observers,
        evaluator=evaluator,
    )


def _join(processes: Sequence[BaseProcess]) -> None:
    for process in processes:
        process.join(280)
        if process.exitcode != 0:
            raise RuntimeError(f"a node ended with {process.exitcode}")


@dataclass(frozen=True)
class Account:
    """One node's store against the log: champions lost, taken more than once, and taken."""

    lost: int
    twice: int
    taken: int


async def _account(folder: Path, url: str, published: dict[MessageId, tuple[float, Seconds]]) -> Account:
    with closing(open_reader(folder)) as reader:
        events = [stored.event for stored in reader.events()]
    times = Counter(event.id for event in events if isinstance(event, Received))
    position = [event.position for event in events if isinstance(event, Drained)][-1]
    late = Nats(read_address(url, {}))
    await late.join(joined(f"account-of-{folder.name}"), own=[])
    rest = await late.read(position, until=None, senders=None)
    await late.leave(patience=0.0)
    beyond = {read_announcement(heard.data).id for heard in rest.heard}
    others = {message for message in published if message.node != folder.name}
    return Account(len(others - set(times) - beyond), sum(n - 1 for n in times.values()), len(times))


def _report(
    arrivals: Arrivals,
    accounts: Sequence[Account],
    names: Sequence[str],
    folder: Path,
    rounds: int,
    outage: tuple[float, float],
    seconds: Seconds,
) -> Report:
    down, up = outage
    calm = [took for at, took in arrivals.seen.values() if not down - AROUND < at < up + AROUND]
    costs = [
        float(line.split()[2])
        for name in names
        for line in (folder / f"{name}.times").read_text().splitlines()
    ]
    missing = NODES * rounds - len(arrivals.seen)
    lost, twice = sum(a.lost for a in accounts) + missing, sum(a.twice for a in accounts) + arrivals.again
    p95, median = (float(np.percentile(calm, share)) * 1000 for share in (95, 50))
    return Report(
        "exchange",
        f"{NODES} nodes x {rounds} rounds over NATS JetStream, one killed and started again, one late, the "
        f"broker killed and back on its store after {DOWN:g} s; {seconds:.0f} s in all",
        [
            Row("champions lost", lost, "", "0", lost == 0, f"of {sum(a.taken for a in accounts)} taken"),
            Row("applied twice", twice, "", "0", twice == 0),
            Row("delivery, p95", p95, "ms", "≤ 50", p95 <= 50, f"{len(calm)} outside the outage"),
            Row("delivery, median", median, "ms"),
            at_most("publish and drain, median", [cost * 1000 for cost in costs], 5.0, "ms"),
            Row("publish and drain, p95", float(np.percentile(costs, 95)) * 1000, "ms"),
        ],
        {"outage": [down, up], "deliveries_ms": [round(took * 1000, 2) for took in calm]},
    )
