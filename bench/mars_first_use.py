"""What the first battle of a process costs: importing, testing and compiling the simulator. Wall time."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
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
from speciate.problems.corewar import assemble, battle
imp = assemble("mov 0, 1")
begun = time.perf_counter()
import numba
imported = time.perf_counter()
battle([imp, imp], statistics=sys.argv[1], engine="numba")
print(json.dumps([imported - begun, time.perf_counter() - imported]))
"""


@dataclass(frozen=True, slots=True)
class FirstUse:
    """Seconds, one number a run.

    Attributes:
        numbers: numpy's import, the package's, the engine's with its self-test, and the self-test alone.
        cold: by statistics, from the first thought of numba to the end of a battle, nothing compiled before.
        cached: the same in a later process.
    """

    numbers: tuple[list[float], ...]
    cold: Mapping[str, list[float]]
    cached: Mapping[str, list[float]]


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
    cold: dict[str, list[float]] = {}
    cached: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for statistics in ("verdict", "covered", "full"):
            times = [
                sum(_python(_COMPILING, statistics, NUMBA_CACHE_DIR=folder, SPECIATE_MARS="numba"))
                for _ in range(1 + runs)
            ]
            cold[statistics], cached[statistics] = times[:1], times[1:]
    imports = [_python(_IMPORTING) for _ in range(runs)]
    return FirstUse(tuple(map(list, zip(*imports, strict=True))), cold, cached)


def rows(found: FirstUse) -> list[Row]:
    """Returns the rows of the table."""
    numpy, package, engine, tested = ([1e3 * t for t in times] for times in found.numbers)
    table = [
        plain("import numpy", numpy, "ms"),
        plain("import speciate.problems.corewar after it", package, "ms"),
        plain("load the engine in C, with its self-test", engine, "ms"),
        plain("the self-test alone", tested, "ms"),
    ]
    for statistics, times in found.cold.items():
        table.append(at_most(f"numba, first battle, cold, {statistics}", times, _COLD, "s"))
        table.append(
            at_most(f"numba, first battle, cached, {statistics}", found.cached[statistics], _CACHED, "s")
        )
    return table
