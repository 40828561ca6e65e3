"""Whole histories in tests: reading, comparing and falsifying them, and evaluators that leave traces."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from typing_extensions import override

from speciate.evaluators import EvaluationConfig, Evaluator, build_evaluator
from speciate.records import (
    Chosen,
    Context,
    Event,
    Ordinal,
    Outcome,
    Placed,
    Program,
    history,
    text_refs,
)
from speciate.store import MemoryStore, StoreReader, open_reader
from speciate.tasks import Task


class TracingEvaluator(Evaluator):
    """Scores like the task's own evaluator, after a while, and writes down what it scored.

    Args:
        task: a task of kind ``trusted``.
        jitter: seeds how long each evaluation takes, a few milliseconds; None for no wait.
        log: file that gets one line an evaluation, the program's hash, when it has ended; or None.
        slots: how many candidates run at once.
    """

    def __init__(
        self, task: Task, *, jitter: int | None = None, log: Path | None = None, slots: int = 4
    ) -> None:
        self.slots = slots
        self._inner = build_evaluator(task, EvaluationConfig())
        self._random = None if jitter is None else random.Random(jitter)
        self._log = log
        self._turns = asyncio.Semaphore(slots)

    @override
    async def start(self) -> None:
        await self._inner.start()

    @override
    async def evaluate(self, program: Program, context: Context) -> Outcome:
        async with self._turns:
            if self._random is not None:
                await asyncio.sleep(self._random.choice((0, 0, 0.001, 0.004)))
            outcome = await self._inner.evaluate(program, context)
        if self._log is not None:
            with self._log.open("a") as file:
                file.write(f"{program.hash}\n")
        return outcome

    @override
    async def syntax(self, program: Program) -> str | None:
        return await self._inner.syntax(program)


def events_of(source: StoreReader | Path) -> list[Event]:
    """Returns the events of a store or a run folder, in order of arrival."""
    if isinstance(source, StoreReader):
        return [stored.event for stored in source.events()]
    reader = open_reader(source)
    try:
        return [stored.event for stored in reader.events()]
    finally:
        reader.close()


def assert_same_history(one: Iterable[Event], other: Iterable[Event]) -> None:
    """Fails with the first event by which two histories differ."""
    left, right = history(one), history(other)
    for number, (mine, yours) in enumerate(zip(left, right, strict=False)):
        assert mine == yours, f"event {number} differs:\n{mine}\n{yours}"
    assert len(left) == len(right), f"after {left[: len(right)][-1]}: {(left + right)[len(right) :][:1]}"


def assert_nothing_lost(events: Sequence[Event], *, candidates: int) -> None:
    """Fails unless every ordinal from 0 to `candidates` was chosen once and closed once."""
    chosen = Counter(event.ordinal for event in events if isinstance(event, Chosen))
    closed = Counter(event.ordinal for event in events if isinstance(event, Placed) and not event.part)
    everybody: Counter[Ordinal] = Counter(range(candidates + 1))
    assert chosen == everybody
    assert closed == everybody


async def retold(store: StoreReader, change: Callable[[Event], Event | None]) -> MemoryStore:
    """Returns a copy of a history with every event as `change` tells it; None leaves the event out."""
    copy = MemoryStore()
    copy.begin(store.manifest())
    for stored in store.events():
        event = change(stored.event)
        if event is not None:
            await copy.append([event], {digest: store.text(digest) for digest in text_refs(event)})
    return copy
