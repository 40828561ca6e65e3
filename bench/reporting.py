"""How long a report of a long run takes, page and pictures.

    python -m bench report [--quick]

The run is made first and not measured: scripted replies, programs of 1.5 KB, every part of the search on
(see `bench.engine`), scores that come of the numbers in them. The report is then made in an interpreter of
its own, once as a whole and once part by part.
"""

from __future__ import annotations

import re
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from bench import engine, workload
from bench.report import Report, Row, at_most, fresh, memory_mb, plain

from speciate.engine import evolve
from speciate.records import Context, Program, Result
from speciate.reports import (
    branches,
    convergence,
    lineage,
    make_report,
    read_facts,
    read_report,
    report_json,
    seed_distances,
    timeline,
)
from speciate.store import RunHistory, open_reader

_NUMBER = re.compile(r"0\.\d{4}")


def spread(program: Program, context: Context) -> Result:
    """Scores a program by the mean of its coordinates, which goes up and down from one to the next."""
    numbers = [float(text) for text in _NUMBER.findall(program.source)]
    return Result((sum(numbers) / max(1, len(numbers)) + 1e-6 * len(program.source),))


def make(folder: Path, candidates: int) -> None:
    """Makes the run. Meant for `fresh`."""
    script = folder.with_suffix(".jsonl")
    workload.write_script(script, 2 * candidates)  # enough for what the screens refuse
    task = replace(workload.task(), trusted=spread)
    evolve(task, engine.config("whole", candidates, script), folder=folder)


def whole(folder: Path) -> dict[str, float]:
    """Makes the report of a run as the command does. Meant for `fresh`."""
    before, cpu = time.perf_counter(), time.process_time()
    written = make_report(folder, folder / "report")
    made = time.perf_counter()
    told = len(str(report_json(written.report)))
    return {
        "seconds": made - before,
        "cpu_seconds": time.process_time() - cpu,
        "json_seconds": time.perf_counter() - made,
        "json_mb": told / 1e6,
        "pictures": float(len(written.files) - 1),
        "memory_mb": memory_mb(),
    }


def parts(folder: Path) -> dict[str, float]:
    """Times the dear parts one by one. Meant for `fresh`."""
    found: dict[str, float] = {}

    def timed(name: str, make_part: Callable[[], object]) -> None:
        before = time.perf_counter()
        make_part()
        found[name] = time.perf_counter() - before

    with closing(open_reader(folder)) as reader:
        timed("reading and folding the history", lambda: RunHistory(reader))
        history, facts = RunHistory(reader), read_facts(reader)
        timed("reading the events again", lambda: list(history.events()))
        events = list(history.events())
        course = timeline(history, events)
        timed("course of the archives", lambda: timeline(history, events))
        timed("branches", lambda: branches(history, course))
        timed("distances from the initial program", lambda: seed_distances(history, facts, course))
        timed("tree of candidates", lambda: lineage(history, facts.objective))
        timed("curve", lambda: convergence(history, facts.objective))
        timed("all figures", lambda: read_report(history, folder=folder))
    return found


def run(*, quick: bool = False) -> Report:
    """Measures the report of a long run."""
    candidates, rounds = (1_000, 1) if quick else (10_000, 3)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "run"
        fresh(make, folder, candidates)
        wholes = [fresh(whole, folder) for _ in range(rounds)]
        by_part = [fresh(parts, folder) for _ in range(rounds)]
    name = f"{candidates:,}"
    rows: list[Row] = [
        at_most(f"{name}: page and pictures", (one["seconds"] for one in wholes), 15, "s"),
        plain(f"{name}: CPU of it", (one["cpu_seconds"] for one in wholes), "s"),
        plain(f"{name}: the same as JSON, besides", (one["json_seconds"] for one in wholes), "s"),
        plain(f"{name}: JSON", (one["json_mb"] for one in wholes), "MB"),
        plain(f"{name}: pictures", (one["pictures"] for one in wholes)),
        plain(f"{name}: memory", (one["memory_mb"] for one in wholes), "MB"),
    ]
    rows += [plain(f"{name}: {part}", (one[part] for one in by_part), "s") for part in by_part[0]]
    about = "a report of a run with every part of the search on, programs of 1.5 KB"
    return Report("report", about, rows, {"whole": wholes, "parts": by_part})
