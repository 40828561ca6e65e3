"""What the first battle of a process costs: importing, testing and compiling the simulator. Wall time."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from typing import Final

from bench.report import Row, at_most, plain

_COLD: Final = 8.0
_CACHED: Final = 0.5

_IMPORTING: Final = """
import json, time
empty = time.perf_counter()
import numpy
begun = time.perf_counter()
from speciate.problems.corewar import assemble, battle
package = time.perf_counter()
from speciate.problems.corewar.mars import native, selftest
engine = time.perf_counter()
for dispatch in ("jumps", "switch"):
    selftest.digest(lambda batch, rules: native.fight(batch, rules, dispatch=dispatch))
tested = time.perf_counter()
print(json.dumps([begun - empty, package - begun, engine - package, (tested - engine) / 2]))
"""

_COMPILING: Final = """
import json, sys, time
sys.modules["coverage"] = None  # a test tool that users lack, and that numba imports where it is: 30 ms
if sys.argv[2] == "without":
    sys.modules["scipy"] = None
from speciate.problems.corewar import assemble, battle
imp = assemble("mov 0, 1")
begun = time.perf_counter()
battle([imp, imp], statistics=sys.argv[1], engine="numba")
print(json.dumps([time.perf_counter() - begun]))
"""


@dataclass(frozen=True, slots=True)
class FirstUse:
    """Seconds, one number a run.

    Attributes:
        numbers: numpy's import, the package's, the engine's with its self-test, and the self-test alone.
        cold: by statistics, the first battle with numba's import and all, nothing compiled before.
        cached: the same in a later process.
        without_scipy: the same where scipy, which numba imports if it is there, is not.
    """

    numbers: tuple[list[float], ...]
    cold: dict[str, list[float]]
    cached: dict[str, list[float]]
    without_scipy: dict[str, list[float]]


def _python(code: str, *arguments: str, **environment: str) -> list[float]:
    """Returns the numbers that a fresh interpreter prints."""
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        check=True,
    )
    numbers: list[float] = json.loads(done.stdout)
    return numbers


def measure(runs: int) -> FirstUse:
    """Returns the seconds of so many runs; of cold ones there is one for each statistics."""
    found = FirstUse(_turned([_python(_IMPORTING) for _ in range(runs)]), {}, {}, {})
    with tempfile.TemporaryDirectory() as folder:
        for statistics in ("verdict", "covered", "full"):

            def first(scipy: str, statistics: str = statistics) -> float:
                return _python(_COMPILING, statistics, scipy, NUMBA_CACHE_DIR=folder)[0]

            found.cold[statistics] = [first("with")]
            found.cached[statistics] = [first("with") for _ in range(runs)]
            found.without_scipy[statistics] = [first("without") for _ in range(runs)]
    return found


def _turned(runs: list[list[float]]) -> tuple[list[float], ...]:
    return tuple(map(list, zip(*runs, strict=True)))


def rows(found: FirstUse) -> list[Row]:
    """Returns the rows of the table."""
    numpy, package, engine, tested = ([1e3 * t for t in times] for times in found.numbers)
    table = [
        plain("import numpy", numpy, "ms"),
        plain("import speciate.problems.corewar after it", package, "ms"),
        plain("load the engine in C, with its self-test", engine, "ms"),
        plain("the self-test alone", tested, "ms"),
    ]
    limits = (("cold", found.cold, _COLD), ("cached", found.cached, _CACHED))
    for name, times, limit in (*limits, ("cached, no scipy", found.without_scipy, _CACHED)):
        table += [
            at_most(f"numba, first battle, {name}, {statistics}", each, limit, "s")
            for statistics, each in times.items()
        ]
    return table
