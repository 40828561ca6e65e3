"""What every bench gives back: rows of a table, and the same as JSON with facts of the machine."""

from __future__ import annotations

import json
import os
import platform
import statistics
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import ParamSpec, TypeVar

import numpy as np

from speciate import __version__
from speciate.records import Json

RESULTS = Path(__file__).parent / "results"

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Row:
    """One number.

    Attributes:
        name: what was measured.
        value: the number, a median where there are several runs.
        unit: its unit; empty for ratios and shares.
        goal: what it should be, in words; empty where there is none.
        met: whether it is, or None where there is no goal.
        note: spread and number of runs.
    """

    name: str
    value: float
    unit: str = ""
    goal: str = ""
    met: bool | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """All numbers of one bench.

    Attributes:
        name: the bench's name.
        about: what was done, in a sentence or two.
        rows: the numbers.
        data: everything behind them.
    """

    name: str
    about: str
    rows: Sequence[Row]
    data: object = None


def at_most(name: str, values: Iterable[float], limit: float, unit: str = "") -> Row:
    """Returns a row for the median of several runs that should not pass a limit."""
    found = sorted(values)
    middle = statistics.median(found)
    return Row(name, middle, unit, f"≤ {limit:g}", middle <= limit, spread(found))


def at_least(name: str, values: Iterable[float], limit: float, unit: str = "") -> Row:
    """Returns a row for the median of several runs that should reach a limit."""
    found = sorted(values)
    middle = statistics.median(found)
    return Row(name, middle, unit, f"≥ {limit:g}", middle >= limit, spread(found))


def plain(name: str, values: Iterable[float], unit: str = "") -> Row:
    """Returns a row for the median of several runs without a goal."""
    found = sorted(values)
    return Row(name, statistics.median(found), unit, note=spread(found))


def spread(found: Sequence[float]) -> str:
    """Returns smallest and largest of several runs, and how many there were."""
    if len(found) == 1:
        return "one run"
    return f"{min(found):.4g} to {max(found):.4g}, {len(found)} runs"


def fresh(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Calls a function in a new interpreter, so that no run inherits another one's memory."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(function, *args, **kwargs).result()


def memory_mb(which: str = "VmHWM") -> float:
    """Returns this process's peak (``VmHWM``) or present (``VmRSS``) resident memory in megabytes."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(which):
            return int(line.split()[1]) / 1024
    raise RuntimeError(f"/proc/self/status has no {which}")


def machine() -> dict[str, Json]:
    """Returns what the numbers were measured on, and how busy it was."""
    cpus = Path("/proc/cpuinfo").read_text().splitlines()
    model = next((line.partition(":")[2].strip() for line in cpus if line.startswith("model name")), "?")
    return {
        "speciate": __version__,
        "date": time.strftime("%Y-%m-%d"),
        "cpu": model,
        "cores": len(os.sched_getaffinity(0)),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "kernel": platform.release(),
        "load": [round(load, 2) for load in os.getloadavg()],
    }


def show(report: Report) -> None:
    """Prints a report as a table."""
    width = max((len(row.name) for row in report.rows), default=0)
    print(f"\n{report.name}: {report.about}")
    for row in report.rows:
        value = f"{row.value:.4g} {row.unit}".rstrip()
        mark = {None: " ", True: "+", False: "-"}[row.met]
        print(f"  {mark} {row.name:{width}}  {value:>14}  {row.goal:10}  {row.note}".rstrip())


def write(report: Report, before: dict[str, Json], *, quick: bool) -> Path:
    """Writes a report as JSON under `RESULTS`; `before` is `machine()` as it was when the bench began."""
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{report.name}{'.quick' if quick else ''}.json"
    rows = [
        {"name": r.name, "value": r.value, "unit": r.unit, "goal": r.goal, "met": r.met, "note": r.note}
        for r in report.rows
    ]
    body = {"about": report.about, "machine": before, "load_after": list(os.getloadavg()), "rows": rows}
    path.write_text(json.dumps({**body, "data": report.data}, indent=1) + "\n")
    return path
