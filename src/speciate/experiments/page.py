"""The results of an experiment in words, tables and pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from speciate.errors import MissingExtraError
from speciate.experiments.analysis import TaskResult
from speciate.experiments.cautions import cautions
from speciate.experiments.manifest import versions, write_text
from speciate.experiments.results import Missing, Results
from speciate.experiments.tables import interval_words, result_tables
from speciate.experiments.tidy import (
    comparisons_table,
    curves_table,
    runs_table,
    timing_table,
    write_csv,
    write_parquet,
)
from speciate.reports import (
    Series,
    as_html,
    as_latex,
    as_markdown,
    draw_bands,
    html_list,
    html_page,
    number,
    plain,
)

PAGE = "report.md"


@dataclass(frozen=True, slots=True)
class Written:
    """What was written.

    Attributes:
        files: the page first.
        skipped: what could not be written and why, one sentence each.
    """

    files: tuple[Path, ...]
    skipped: tuple[str, ...]


def write_results(results: Results, tasks: Sequence[TaskResult], out: Path) -> Written:
    """Writes page, tables and pictures; equal results give equal files, but for timing.

    Args:
        results: the runs.
        tasks: what they show.
        out: the folder; files of an earlier state there are replaced.

    Raises:
        RunFolderError: it cannot be written.
    """
    skipped: list[str] = []
    pictures = _draw_all(results, tasks, out, skipped)
    tidy = (runs_table(results), curves_table(results), comparisons_table(tasks, results.plan.alpha))
    files = [write_csv(table, out) for table in (*tidy, timing_table(results))]
    try:
        files += [write_parquet(table, out) for table in tidy]
    except MissingExtraError as error:
        skipped.append(str(error))
    tables = [table for task in tasks for table in result_tables(task, results.plan)]
    notes = cautions(results, tasks)
    for name, text in (
        (
            PAGE,
            render(results, tasks, notes=notes, pictures=[path.name for path in pictures], skipped=skipped),
        ),
        ("tables.tex", "\n\n".join(map(as_latex, tables)) + "\n"),
        ("tables.html", html_page(results.plan.name, [*map(as_html, tables), html_list(notes)])),
    ):
        write_text(out / name, text)
        files.append(out / name)
    page = out / PAGE
    return Written((page, *(path for path in [*pictures, *files] if path != page)), tuple(skipped))


def render(
    results: Results,
    tasks: Sequence[TaskResult],
    *,
    notes: Sequence[str],
    pictures: Sequence[str],
    skipped: Sequence[str],
) -> str:
    """Returns the page in Markdown.

    Args:
        results: the runs.
        tasks: what they show.
        notes: what was not shown and must be known.
        pictures: names of the pictures beside the page.
        skipped: what could not be written.
    """
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
    parts += ["## What this does not show", "\n".join(f"- {plain(note, most=2000)}" for note in notes)]
    if results.missing:
        parts += ["## Runs that are missing", "\n".join(missing_lines(results.missing))]
    if skipped:
        parts += ["## Not written", "\n".join(f"- {plain(line, most=500)}" for line in skipped)]
    parts += ["## Versions", ", ".join(f"{name} {version}" for name, version in versions().items())]
    return "\n\n".join(part for part in parts if part) + "\n"


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


def missing_lines(missing: Sequence[Missing]) -> list[str]:
    """Returns an item a run that does not count, with the reason."""
    return [f"- {plain(one.job.key)} ({one.state}): {plain(one.reason, most=300)}" for one in missing]
