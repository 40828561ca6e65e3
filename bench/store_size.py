"""Bytes on disk and CPU per candidate of a store.

    python -m bench store [--quick]

A made-up run: programs of about 1.5 KB whose lines are edited generation after generation, prompts of five
parts, replies that chat and repeat the whole program, seven events a candidate in four transactions.
"""

from __future__ import annotations

import asyncio
import random
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from bench.report import Report, Row, at_most, fresh, memory_mb, plain

from speciate.records import (
    Asked,
    Chosen,
    Evaluated,
    Event,
    Outcome,
    Part,
    Patched,
    Placed,
    Placement,
    PlacementKind,
    Replied,
    Result,
    Sampling,
    Started,
    StoredMessage,
    TextHash,
    TextRef,
    Usage,
    text_hash,
)
from speciate.store import RunHistory, Store, open_reader, open_store

CONTEXT = text_hash("context")
SYSTEM = "You improve programs. Answer with the whole program in one fence.\n" * 20
TASK = "Place 26 circles in the unit square so that the sum of their radii is large.\n" * 15
WORDS = [
    "move",
    "widen",
    "the",
    "outer",
    "ring",
    "corner",
    "gap",
    "radius",
    "shrink",
    "swap",
    "row",
    "tighten",
    "centre",
    "spread",
    "push",
    "because",
]


def initial_program(rng: random.Random) -> list[str]:
    lines = ["import numpy as np", "", "def construct():", "    centres = np.zeros((26, 2))"]
    lines += [f"    centres[{i}] = [{rng.random():.4f}, {rng.random():.4f}]" for i in range(26)]
    lines += ["    radii = np.full(26, 0.05)", "    for i in range(26):", "        x, y = centres[i]"]
    lines += ["        radii[i] = min(x, y, 1 - x, 1 - y)", "    return centres, radii"]
    return lines


def edited(lines: list[str], rng: random.Random) -> list[str]:
    """Changes two numbers and, now and then, adds a line of arithmetic."""
    lines = list(lines)
    for _ in range(2):
        i = rng.randrange(4, 30)
        lines[i] = f"    centres[{i - 4}] = [{rng.random():.4f}, {rng.random():.4f}]"
    if rng.random() < 0.2:
        place = rng.randrange(30, len(lines))
        if len(lines) > 40:
            del lines[place - 1]
        lines.insert(place, f"    centres += {rng.choice(WORDS)} * {rng.random():.3f}")
    return lines


def chat(rng: random.Random, words: int) -> str:
    return " ".join(rng.choice(WORDS) for _ in range(words))


class Timed:
    """Passes `append` on and adds up the CPU time it takes."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.seconds = 0.0

    async def append(self, events: Sequence[Event], texts: Mapping[TextHash, str] | None = None) -> None:
        before = time.process_time()
        await self.store.append(events, texts)
        self.seconds += time.process_time() - before


class MadeUpRun:
    """Writes candidates as an engine would, one call of `append` for each thing that must be safe."""

    def __init__(self, store: Timed, seed: int = 7) -> None:
        self.store = store
        self.rng = random.Random(seed)
        self.alive: list[tuple[int, list[str]]] = [(0, initial_program(self.rng))]
        self.best = 1.5

    async def start(self) -> None:
        text = "\n".join(self.alive[0][1])
        texts = {text_hash(t): t for t in (text, SYSTEM, TASK)}
        program = (("initial.py", text_hash(text)),)
        events: list[Event] = [
            Chosen(ordinal=0, operator="initial", proposer="initial"),
            Patched(ordinal=0, program=program),
        ]
        await self.store.append(events, texts)
        await self._finish(0)

    async def candidate(self, ordinal: int) -> None:
        (parent, lines), (other, other_lines) = self.rng.choice(self.alive), self.rng.choice(self.alive)
        child = edited(lines, self.rng)
        await self._ask(ordinal, parent, other, ["\n".join(lines), "\n".join(other_lines)])
        source = "\n".join(child)
        answer = f"{chat(self.rng, 30)}\n\n```python\n{source}\n```\n{chat(self.rng, 10)}"
        reply = Replied(
            ordinal=ordinal,
            part="propose",
            text=TextRef(text_hash(answer)),
            model="some-model-2026-01-01",
            usage=Usage(
                1, 2900 + self.rng.randrange(300), 800 + self.rng.randrange(99), cost=self.rng.random() / 99
            ),
            sent={"temperature": 0.7, "max_tokens": 8192},
            seconds=self.rng.random() * 9,
        )
        await self.store.append([reply], {text_hash(answer): answer})
        program = (("initial.py", text_hash(source)),)
        patched = Patched(ordinal=ordinal, program=program, summary=chat(self.rng, 6))
        await self.store.append(
            [patched, Started(ordinal=ordinal, part=CONTEXT)], {text_hash(source): source}
        )
        await self._finish(ordinal)
        self.alive.append((ordinal, child))
        if len(self.alive) > 40:
            self.alive.pop(self.rng.randrange(20))

    async def _ask(self, ordinal: int, parent: int, other: int, sources: list[str]) -> None:
        metrics = (
            f"sum of radii {self.rng.random():.6f}; smallest gap {self.rng.random():.6f}; {chat(self.rng, 8)}"
        )
        long = [TASK, *sources]
        user: tuple[Part, ...] = (*(TextRef(text_hash(t)) for t in long), metrics)
        asked = Asked(
            ordinal=ordinal,
            part="propose",
            model="openai:some-model",
            messages=(
                StoredMessage("system", (TextRef(text_hash(SYSTEM)),)),
                StoredMessage("user", user),
            ),
            sampling=Sampling(temperature=0.7),
            request=text_hash(f"request {ordinal}"),
            reserved=0.021,
        )
        chosen = Chosen(
            ordinal=ordinal,
            seen=max(0, ordinal - 3),
            island=ordinal % 2,
            operator="full",
            proposer="openai:some-model",
            parents=(parent,),
            inspirations=(other,),
        )
        await self.store.append([chosen, asked], {text_hash(t): t for t in (SYSTEM, *long)})

    async def _finish(self, ordinal: int) -> None:
        score = self.best + self.rng.gauss(-0.1, 0.06)
        improved, self.best = score > self.best, max(score, self.best)
        outcome = Outcome(
            result=Result((score,), public={"sum_of_radii": score, "exact": score - 1e-8}, descriptor=None),
            seconds=self.rng.random(),
            cpu_seconds=self.rng.random(),
            memory_mb=40 + self.rng.random(),
        )
        events: list[Event] = [Evaluated(ordinal=ordinal, part=CONTEXT, outcome=outcome)]
        kind = PlacementKind.NEW if len(self.alive) < 40 else PlacementKind.NOT_KEPT
        events.append(Placed(ordinal=ordinal, placements=((ordinal % 2, Placement(kind)),), best=improved))
        await self.store.append(events)


async def write(folder: Path, candidates: int) -> dict[str, float]:
    store = open_store(folder)
    store.begin({"task": "bench"})
    timed = Timed(store)
    run = MadeUpRun(timed)
    await run.start()
    fifth = candidates // 5
    spent: list[float] = []
    for ordinal in range(1, candidates + 1):
        before = timed.seconds
        await run.candidate(ordinal)
        spent.append(timed.seconds - before)
    store.close()
    return {
        "write_ms": round(1e3 * sum(spent) / candidates, 3),
        "write_ms_first_fifth": round(1e3 * sum(spent[:fifth]) / fifth, 3),
        "write_ms_last_fifth": round(1e3 * sum(spent[-fifth:]) / fifth, 3),
    }


def read(folder: Path) -> dict[str, float]:
    before = time.process_time()
    reader = open_reader(folder)
    history = RunHistory(reader)
    seconds = time.process_time() - before
    reader.close()
    return {"candidates": len(history.candidates), "fold_seconds": round(seconds, 2)}


def measure(candidates: int) -> dict[str, float]:
    """Writes a run and reads it again. Meant for `fresh`."""
    with tempfile.TemporaryDirectory() as folder:
        numbers = asyncio.run(write(Path(folder), candidates))
        size = sum(file.stat().st_size for file in Path(folder).iterdir())
        numbers["bytes_per_candidate"] = round(size / candidates)
        numbers["write_rss_mb"] = memory_mb()
        return numbers | read(Path(folder)) | {"rss_mb": memory_mb()}


def run(*, quick: bool = False) -> Report:
    """Measures runs of two lengths."""
    rounds = 1 if quick else 3
    found = {count: [fresh(measure, count) for _ in range(rounds)] for count in (1_000, 20_000)}
    rows: list[Row] = []
    for count, several in found.items():
        rows += [
            plain(f"{count:,}: write", (one["write_ms"] for one in several), "ms"),
            plain(
                f"{count:,}: write, last fifth over first",
                (one["write_ms_last_fifth"] / one["write_ms_first_fifth"] for one in several),
            ),
            at_most(f"{count:,}: bytes a candidate", (one["bytes_per_candidate"] for one in several), 3_000),
            plain(f"{count:,}: read and fold all", (one["fold_seconds"] for one in several), "s"),
            plain(f"{count:,}: memory after reading", (one["rss_mb"] for one in several), "MB"),
        ]
    about = "CPU and disk of a history alone: programs of 1.5 KB, replies with the whole program"
    return Report("store", about, rows, {str(count): several for count, several in found.items()})
