"""The results of an experiment in words, tables and pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from speciate.errors import MissingExtraError
from speciate.experiments.analysis import ConditionResult, TaskResult
from speciate.experiments.cautions import cautions
from speciate.experiments.manifest import versions, write_text
from speciate.experiments.plan import Plan
from speciate.experiments.results import Results
from speciate.experiments.tidy import (
    comparisons_table,
    curves_table,
    runs_table,
    timing_table,
    write_csv,
    write_parquet,
)
from speciate.records import Objective
from speciate.reports import (
    Series,
    Table,
    as_html,
    as_latex,
    as_markdown,
    dollars,
    draw_bands,
    exact,
    html_list,
    html_page,
    number,
    outward_interval,
    pairs_table,
    plain,
)
from speciate.statistics import Interval

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
        parts += ["## Runs that are missing", "\n".join(_missing_lines(results))]
    if skipped:
        parts += ["## Not written", "\n".join(f"- {plain(line, most=500)}" for line in skipped)]
    parts += ["## Versions", ", ".join(f"{name} {version}" for name, version in versions().items())]
    return "\n\n".join(part for part in parts if part) + "\n"


def result_tables(task: TaskResult, plan: Plan) -> tuple[Table, ...]:
    """Returns the tables of one task: conditions, final scores compared, areas compared."""
    correction = (
        f"difference of medians with its {plan.confidence:.0%} interval, chance A that a run of the first "
        "beats one of the second, p of a two-sided Mann-Whitney test before and after Holm's correction."
    )
    found = (
        conditions_table(task, plan),
        pairs_table(
            task.finals, task.objective, f"{task.task}, final scores: {correction}", alpha=plan.alpha
        ),
        pairs_table(
            task.areas, task.objective, f"{task.task}, areas under the curve: {correction}", alpha=plan.alpha
        ),
    )
    return tuple(table for table in found if table is not None)


def conditions_table(task: TaskResult, plan: Plan) -> Table:
    """Returns one row a condition, in the user's own direction."""
    better = "higher" if task.objective.direction == "maximize" else "lower"
    rows = []
    for one in task.conditions:
        best = max(one.finals, default=None)
        best_words = "–" if best is None else exact(task.objective.outward(best))
        final, area = _words(one.final, task.objective), _words(one.area, task.objective)
        spent = (f"{one.stale:g}", f"{one.virtual:.0f}", dollars(one.cost))
        rows.append((one.name, str(one.runs), final, area, best_words, *spent))
    return Table(
        f"{task.task}: {task.objective.name} ({better} is better) after {number(plan.budget.amount)} "
        f"{plan.budget.unit}; median final score and mean area under the curve with {plan.confidence:.0%} "
        "bootstrap intervals, best of all runs, median staleness, seconds by what the models declare, cost "
        "of all runs.",
        ("condition", "runs ", "median final ", "mean area ", "best ", "stale ", "virtual s ", "cost "),
        tuple(rows),
    )


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
        (one.name, np.sort([task.objective.outward(score) for score in one.finals]))
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
        f"{_words(task.interaction.effect, task.objective)}."
    )


def _missing_lines(results: Results) -> list[str]:
    return [f"- {plain(one.job.key)} ({one.state}): {plain(one.reason, most=300)}" for one in results.missing]


def _words(interval: Interval | None, objective: Objective) -> str:
    low, middle, high = outward_interval(interval, objective)
    if middle is None or low is None or high is None:
        return "–"
    return f"{middle:.6g} [{low:.6g}, {high:.6g}]"


def summary_json(task: TaskResult, one: ConditionResult) -> dict[str, float | int | str | None]:
    """Returns one condition of one task as JSON, in the user's own direction."""
    low, middle, high = outward_interval(one.final, task.objective)
    area_low, area, area_high = outward_interval(one.area, task.objective)
    return {
        "task": task.task,
        "condition": one.name,
        "runs": one.runs,
        "median_final": middle,
        "median_final_low": low,
        "median_final_high": high,
        "mean_area": area,
        "mean_area_low": area_low,
        "mean_area_high": area_high,
        "virtual_seconds": one.virtual,
        "cost_usd": one.cost,
    }
