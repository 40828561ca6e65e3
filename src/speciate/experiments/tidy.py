"""The tidy tables: one row a run, one row a point of a curve. CSV always, Parquet where pyarrow is there."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np

from speciate.errors import MissingExtraError
from speciate.experiments.analysis import TaskResult
from speciate.experiments.manifest import write_text
from speciate.experiments.results import Measured, Results
from speciate.records import Objective
from speciate.reports import outward_interval
from speciate.statistics import Pair

Value: TypeAlias = "str | int | float | None"


@dataclass(frozen=True, slots=True)
class Tidy:
    """A table of values.

    Attributes:
        name: of its file, without an ending.
        columns: values by the column's name, all of the same length; None is nothing.
    """

    name: str
    columns: Mapping[str, Sequence[Value]]

    @classmethod
    def of(cls, name: str, rows: Sequence[Mapping[str, Value]], head: Sequence[str]) -> Tidy:
        """Returns the table of some rows; `head` names the columns."""
        return cls(name, {column: [row[column] for row in rows] for column in head})


RUN_COLUMNS = (
    "task",
    "condition",
    "seed",
    "status",
    "stop_reason",
    "measure",
    "direction",
    "initial",
    "final",
    "area",
    "budget_unit",
    "budget",
    "spent",
    "candidates",
    "evaluations",
    "valid",
    "failed",
    "rejected",
    "calls",
    "tokens",
    "cost_usd",
    "archive_size",
    "coverage",
    "qd_score",
    "staleness",
)
TIMING_COLUMNS = (
    "task",
    "condition",
    "seed",
    "wall_seconds",
    "evaluation_seconds",
    "model_seconds",
    "virtual_seconds",
    "sessions",
    "speciate",
)
CURVE_COLUMNS = ("task", "condition", "seed", "spent", "best")
PAIR_COLUMNS = (
    "first",
    "second",
    "test",
    "first_runs",
    "second_runs",
    "difference",
    "low",
    "high",
    "superiority",
    "rank_biserial",
    "p",
    "p_holm",
    "least_p_holm",
    "better",
)
COMPARISON_COLUMNS = ("task", "of", *PAIR_COLUMNS)


def runs_table(results: Results) -> Tidy:
    """Returns one row a run, those that do not count too. No row depends on how fast the machine was."""
    rows = [_run_row(run, results) for run in results.measured]
    rows += [
        {
            **dict.fromkeys(RUN_COLUMNS),
            **_key(one.job.task, one.job.condition, one.job.seed),
            "status": one.state,
        }
        for one in results.missing
    ]
    return Tidy.of("runs", rows, RUN_COLUMNS)


def timing_table(results: Results) -> Tidy:
    """Returns one row a run that counts, with what depends on the machine."""
    rows = [
        {
            **_key(run.job.task, run.job.condition, run.job.seed),
            "wall_seconds": run.timing.wall,
            "evaluation_seconds": run.timing.evaluations,
            "model_seconds": run.timing.models,
            "virtual_seconds": run.timing.virtual,
            "sessions": run.timing.sessions,
            "speciate": run.timing.version,
        }
        for run in results.measured
    ]
    return Tidy.of("timing", rows, TIMING_COLUMNS)


def curves_table(results: Results) -> Tidy:
    """Returns the best so far of each run at each position, in the user's own direction."""
    rows: list[Mapping[str, Value]] = []
    for run in results.measured:
        objective = results.measures[run.job.task].objective
        key = _key(run.job.task, run.job.condition, run.job.seed)
        for spent, best in zip(results.grid, run.curve, strict=True):
            value = None if np.isnan(best) else objective.outward(float(best))
            rows.append({**key, "spent": float(spent), "best": value})
    return Tidy.of("curves", rows, CURVE_COLUMNS)


def comparisons_table(tasks: Sequence[TaskResult], alpha: float) -> Tidy:
    """Returns one row a pair of conditions and measure, in the user's own direction."""
    rows: list[Mapping[str, Value]] = []
    for task in tasks:
        for of, pairs in (("final", task.finals), ("area", task.areas)):
            rows += [
                {"task": task.task, "of": of, **pair_values(pair, task.objective, alpha)} for pair in pairs
            ]
    return Tidy.of("comparisons", rows, COMPARISON_COLUMNS)


def pair_values(pair: Pair, objective: Objective, alpha: float) -> dict[str, Value]:
    """Returns a comparison by the names of `PAIR_COLUMNS`, in the user's own direction."""
    low, middle, high = outward_interval(pair.difference, objective)
    values: tuple[Value, ...] = (
        pair.first,
        pair.second,
        pair.test,
        *pair.sizes,
        middle,
        low,
        high,
        pair.superiority,
        pair.rank_biserial,
        pair.p,
        pair.adjusted,
        pair.least,
        pair.winner(alpha),
    )
    return dict(zip(PAIR_COLUMNS, values, strict=True))


def write_csv(table: Tidy, folder: Path) -> Path:
    """Writes a table as CSV; nothing is an empty field, and numbers have all their digits.

    Raises:
        RunFolderError: it cannot be written.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(table.columns)
    writer.writerows(zip(*table.columns.values(), strict=True))
    path = folder / f"{table.name}.csv"
    write_text(path, text.getvalue())
    return path


def write_parquet(table: Tidy, folder: Path) -> Path:
    """Writes a table as Parquet.

    Raises:
        MissingExtraError: pyarrow is not installed.
        OSError: it cannot be written.
    """
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise MissingExtraError("Parquet", "parquet") from error
    path = folder / f"{table.name}.parquet"
    parquet.write_table(pyarrow.table({name: list(values) for name, values in table.columns.items()}), path)
    return path


def _run_row(run: Measured, results: Results) -> Mapping[str, Value]:
    objective, counts = results.measures[run.job.task].objective, run.summary.counts
    archive, usage = run.summary.archive, run.summary.counts.usage
    first = float(run.curve[0])
    return {
        **_key(run.job.task, run.job.condition, run.job.seed),
        "status": "done",
        "stop_reason": run.stop_reason,
        "measure": objective.name,
        "direction": objective.direction,
        "initial": None if np.isnan(first) else objective.outward(first),
        "final": None if run.final is None else objective.outward(run.final),
        "area": None if run.area is None else objective.outward(run.area),
        "budget_unit": results.plan.budget.unit,
        "budget": results.plan.budget.amount,
        "spent": run.spent,
        "candidates": counts.proposed,
        "evaluations": counts.evaluations,
        "valid": counts.valid,
        "failed": sum(counts.failed.values()),
        "rejected": sum(counts.rejected.values()),
        "calls": usage.calls,
        "tokens": usage.input_tokens + usage.output_tokens,
        "cost_usd": run.cost,
        "archive_size": archive.size,
        "coverage": archive.coverage,
        "qd_score": archive.qd_score,
        "staleness": run.stale,
    }


def _key(task: str, condition: str, seed: int) -> dict[str, Value]:
    return {"task": task, "condition": condition, "seed": seed}
