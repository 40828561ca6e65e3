"""The results of an experiment in words, tables and pictures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from speciate.errors import MissingExtraError
from speciate.experiments.analysis import TaskResult
from speciate.experiments.cautions import cautions
from speciate.experiments.results import Results
from speciate.experiments.tables import interval_words, result_tables
from speciate.experiments.tidy import (
    comparisons_table,
    curves_table,
    runs_table,
    timing_table,
)
from speciate.experiments.writing import Contents, Written, write_contents
from speciate.reports import (
    Series,
    as_markdown,
    draw_bands,
    number,
    plain,
)


def write_results(results: Results, tasks: Sequence[TaskResult], out: Path) -> Written:
    """Writes page, tables and pictures; see `write_contents`.

    Args:
        results: the runs.
        tasks: what they show.
        out: the folder.
    """
    skipped: list[str] = []
    pictures = _draw_all(results, tasks, out, skipped)
    contents = Contents(
        name=results.plan.name,
        parts=_parts(results, tasks, [path.name for path in pictures]),
        tables=[table for task in tasks for table in result_tables(task, results.plan)],
        notes=cautions(results, tasks),
        missing=results.missing,
        tidy=(runs_table(results), curves_table(results), comparisons_table(tasks, results.plan.alpha)),
        timing=timing_table(results),
    )
    return write_contents(contents, pictures, skipped, out)


def _parts(results: Results, tasks: Sequence[TaskResult], pictures: Sequence[str]) -> list[str]:
    plan = results.plan
    parts = [f"# {plain(plan.name)}", plain(plan.about, most=1000), _setup(results)]
    for task in tasks:
        parts.append(f"## {plain(task.task)}")
        parts += [
            f"![{name}]({name})"
            for name in (_picture(task, kind) for kind in ("curves", "finals"))
            if name in pictures
        ]
        parts += [as_markdown(table) for table in result_tables(task, plan)]
        if task.interaction is not None:
            parts.append(_interaction_words(task))
    return parts


def curve_series(task: TaskResult) -> list[Series]:
    """Returns the anytime curves: the median with its quartiles as a band, in the user's own direction."""
    outward = np.vectorize(task.objective.outward, otypes=[float])
    found = []
    for one in task.conditions:
        if one.curves is None:
            continue
        low, high = outward(one.curves.low), outward(one.curves.high)
        found.append(Series(f"{one.name} ({one.runs})", outward(one.curves.median), low, high))
    return found


def final_points(task: TaskResult) -> list[tuple[str, np.ndarray]]:
    """Returns the final scores of each condition with runs, in the user's own direction, sorted."""
    return [
        (one.name, np.sort([task.objective.outward(score) for score in one.finals.values()]))
        for one in task.conditions
        if one.finals
    ]


def _draw_all(results: Results, tasks: Sequence[TaskResult], out: Path, skipped: list[str]) -> list[Path]:
    from speciate.experiments.pictures import draw_finals

    drawn: list[Path] = []
    out.mkdir(parents=True, exist_ok=True)
    try:
        for task in tasks:
            if series := curve_series(task):
                path = out / _picture(task, "curves")
                title = f"{results.plan.name}, {task.task}: median and quartiles over runs"
                draw_bands(
                    results.grid,
                    series,
                    objective=task.objective,
                    spent=f"{results.plan.budget.unit} spent",
                    title=title,
                    path=path,
                )
                drawn.append(path)
            if points := final_points(task):
                path = out / _picture(task, "finals")
                draw_finals(points, task.objective, f"{results.plan.name}, {task.task}: final scores", path)
                drawn.append(path)
    except MissingExtraError as error:
        skipped.append(str(error))
    return drawn


def _picture(task: TaskResult, kind: str) -> str:
    return f"{kind}-{task.task}.png"


def _setup(results: Results) -> str:
    plan = results.plan
    base = "every pair of conditions is compared"
    if plan.baseline is not None:
        base = f"all others are compared with {plan.baseline}"
    lines = [
        f"{len(results.measured)} runs: {len(plan.all_conditions())} conditions × {len(plan.seed_list)} "
        f"seeds × {len(results.measures)} tasks, each with {number(plan.budget.amount)} {plan.budget.unit}; "
        f"{base}.",
        *(f"- **{name}**: {plain(one.about)}" for name, one in plan.all_conditions().items() if one.about),
    ]
    return "\n\n".join([lines[0], "\n".join(lines[1:])]).strip()


def _interaction_words(task: TaskResult) -> str:
    assert task.interaction is not None
    first, second = task.interaction.factors
    return (
        f"Interaction of {first} and {second}, difference of differences of mean final scores: "
        f"{interval_words(task.interaction.effect, {}, task.objective)}."
    )
