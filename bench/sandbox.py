"""Measures a sandboxed numpy candidate against a fresh interpreter, and what the engine pays for it.

    python bench/sandbox.py [--rounds 30] [--many 1000]

Prints one JSON object, times in milliseconds. Both ways alternate, so that a busy machine slows both.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import sys
import tempfile
import time
from asyncio.subprocess import DEVNULL
from pathlib import Path

from speciate.evaluators.limits import descendants
from speciate.evaluators.pool import SandboxPool
from speciate.testing.sandbox import answering_task, ask

CANDIDATE = (
    "import numpy as np\ndef answer(case):\n    return np.linalg.solve(np.eye(20) * case, np.ones(20))\n"
)
FRESH = "import numpy as np; print(np.linalg.solve(np.eye(20) * 2.0, np.ones(20)).sum())"


def summary(seconds: list[float]) -> dict[str, float]:
    """Returns minimum and median in milliseconds."""
    return {"min": round(min(seconds) * 1e3, 2), "median": round(statistics.median(seconds) * 1e3, 2)}


async def interleaved(pool: SandboxPool, rounds: int) -> tuple[list[float], list[float]]:
    """Returns the seconds of sandboxed candidates and of fresh interpreters, one of each a round."""
    sandboxed, fresh = [], []
    for _ in range(rounds):
        start = time.perf_counter()
        report = await ask(pool, CANDIDATE, 2.0)
        sandboxed.append(time.perf_counter() - start)
        assert report.failure is None, report.failure
        start = time.perf_counter()
        fresh_process = await asyncio.create_subprocess_exec(sys.executable, "-c", FRESH, stdout=DEVNULL)
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


async def measure(rounds: int, count: int) -> dict[str, object]:
    """Returns all numbers."""
    with tempfile.TemporaryDirectory() as folder:
        pool = SandboxPool(answering_task(Path(folder)), slots=1)
        start = time.perf_counter()
        await pool.start()
        started = time.perf_counter() - start
        try:
            await interleaved(pool, 3)
            sandboxed, fresh = await interleaved(pool, rounds)
            return {
                "mode": pool.mode,
                "start_ms": round(started * 1e3, 1),
                "sandboxed_ms": summary(sandboxed),
                "fresh_interpreter_ms": summary(fresh),
                "ratio_of_minima": round(min(fresh) / min(sandboxed), 1),
                "ratio_of_medians": round(statistics.median(fresh) / statistics.median(sandboxed), 1),
                "load": os.getloadavg()[0],
                "many": await many(pool, count),
            }
        finally:
            await pool.close()


def main() -> None:
    """Prints the numbers as JSON."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--many", type=int, default=1000)
    arguments = parser.parse_args()
    print(json.dumps(asyncio.run(measure(arguments.rounds, arguments.many)), indent=2))


if __name__ == "__main__":
    main()
