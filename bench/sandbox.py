"""Measures a sandboxed numpy candidate against a fresh interpreter, and what the engine pays for it.

    python -m bench sandbox [--quick]

Both ways alternate, so that a busy machine slows both.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
import time
from asyncio.subprocess import DEVNULL
from pathlib import Path

from bench.report import Report, Row, at_least, at_most, plain

from speciate.evaluators.limits import descendants
from speciate.evaluators.pool import SandboxPool
from speciate.testing.sandbox import answering_task, ask

CANDIDATE = (
    "import numpy as np\ndef answer(case):\n    return np.linalg.solve(np.eye(20) * case, np.ones(20))\n"
)
LEAKS = ("more_processes", "more_descriptors", "more_temporary_files")
FRESH = "import numpy as np; print(np.linalg.solve(np.eye(20) * 2.0, np.ones(20)).sum())"

# What evolved optimisers of packings import; ShinkaEvolve's best one for circle packing uses SLSQP.
SCIPY = ("numpy", "scipy.optimize", "scipy.spatial")
SCIPY_CANDIDATE = "import numpy as np, scipy.optimize, scipy.spatial\n" + CANDIDATE
SCIPY_FRESH = "import scipy.optimize, scipy.spatial; " + FRESH


async def interleaved(
    pool: SandboxPool, rounds: int, *, candidate: str = CANDIDATE, script: str = FRESH
) -> tuple[list[float], list[float]]:
    """Returns the seconds of sandboxed candidates and of fresh interpreters, one of each a round."""
    sandboxed, fresh = [], []
    for _ in range(rounds):
        start = time.perf_counter()
        report = await ask(pool, candidate, 2.0)
        sandboxed.append(time.perf_counter() - start)
        assert report.failure is None, report.failure
        start = time.perf_counter()
        fresh_process = await asyncio.create_subprocess_exec(sys.executable, "-c", script, stdout=DEVNULL)
        assert await fresh_process.wait() == 0
        fresh.append(time.perf_counter() - start)
    return sandboxed, fresh


async def many(pool: SandboxPool, count: int) -> dict[str, float]:
    """Returns throughput, the engine's CPU time a candidate, and what `count` candidates leave behind."""
    before = state()
    cpu, wall = time.process_time(), time.perf_counter()
    for _ in range(count):
        await ask(pool, CANDIDATE, 2.0)
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    await asyncio.sleep(0.5)
    after = state()
    return {
        "candidates": count,
        "per_second_one_slot": round(count / wall, 1),
        "engine_cpu_ms": round(cpu / count * 1e3, 3),
        **{f"more_{name}": after[name] - before[name] for name in before},
    }


def state() -> dict[str, int]:
    """Returns processes, descriptors, resident kilobytes of the engine, entries of the temporary folder."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return {
        "processes": len(list(descendants(os.getpid()))),
        "descriptors": sum(1 for _ in Path("/proc/self/fd").iterdir()),
        "resident_kb": pages * os.sysconf("SC_PAGE_SIZE") // 1024,
        "temporary_files": sum(1 for _ in Path(tempfile.gettempdir()).iterdir()),
    }


async def measure(rounds: int, count: int) -> Report:
    """Returns all numbers of one pool with one slot."""
    with tempfile.TemporaryDirectory() as folder:
        pool = SandboxPool(answering_task(Path(folder)), slots=1)
        start = time.perf_counter()
        await pool.start()
        started = time.perf_counter() - start
        try:
            await interleaved(pool, 3)
            sandboxed, fresh = await interleaved(pool, rounds)
            rows = [plain("start of the pool", [1e3 * started], "ms"), *_rows(sandboxed, fresh)]
            left = await many(pool, count)
        finally:
            await pool.close()
    scipy = await with_scipy(rounds)
    rows += [
        plain("with scipy: sandboxed", (1e3 * one for one in scipy[0]), "ms"),
        plain("with scipy: fresh interpreter", (1e3 * one for one in scipy[1]), "ms"),
        at_least("with scipy: fresh over sandboxed, minima", [min(scipy[1]) / min(scipy[0])], 20),
    ]
    rows += [at_most(f"{count:,} in a row: {name}", [left[name]], 0) for name in LEAKS]
    rows += [
        plain(f"{count:,} in a row: {name}", [value]) for name, value in left.items() if name not in LEAKS
    ]
    data = {"sandboxed_seconds": sandboxed, "fresh_seconds": fresh, "many": left}
    return Report("sandbox", f"a candidate that uses numpy; sandbox mode {pool.mode}", rows, data)


async def with_scipy(rounds: int) -> tuple[list[float], list[float]]:
    """Returns the same seconds for a candidate that imports scipy.optimize and scipy.spatial too."""
    with tempfile.TemporaryDirectory() as folder:
        pool = SandboxPool(answering_task(Path(folder), warm=SCIPY), slots=1)
        await pool.start()
        try:
            await interleaved(pool, 2, candidate=SCIPY_CANDIDATE, script=SCIPY_FRESH)
            return await interleaved(pool, rounds, candidate=SCIPY_CANDIDATE, script=SCIPY_FRESH)
        finally:
            await pool.close()


def _rows(sandboxed: list[float], fresh: list[float]) -> list[Row]:
    ratios = [slow / fast for slow, fast in zip(fresh, sandboxed, strict=True)]
    return [
        at_most("sandboxed, minimum", [1e3 * min(sandboxed)], 15, "ms"),
        plain("sandboxed", (1e3 * one for one in sandboxed), "ms"),
        plain("fresh interpreter", (1e3 * one for one in fresh), "ms"),
        at_least("fresh over sandboxed, round by round", ratios, 20),
        plain("fresh over sandboxed, minima", [min(fresh) / min(sandboxed)]),
    ]


def run(*, quick: bool = False) -> Report:
    """Measures speed against a fresh interpreter, and what many candidates leave behind."""
    return asyncio.run(measure(10 if quick else 30, 200 if quick else 1_000))
