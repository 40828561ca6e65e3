"""The results of an experiment on ensembles: page, tables, pictures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from speciate.errors import MissingExtraError
from speciate.experiments.manifest import versions, write_text
from speciate.experiments.merged.analysis import Analysis, MeasureResult
from speciate.experiments.merged.cautions import gains, merged_cautions
from speciate.experiments.merged.measures import MergedResults
from speciate.experiments.merged.tables import merged_tables
from speciate.experiments.merged.tidy import tidy_tables
from speciate.experiments.page import PAGE, Written, missing_lines
from speciate.experiments.tidy import write_csv, write_parquet
from speciate.records import Objective
from speciate.reports import as_html, as_latex, as_markdown, html_list, html_page, number, plain


def write_merged_results(results: MergedResults, analyses: Sequence[Analysis], out: Path) -> Written:
    """Writes page, tables and pictures; equal results give equal files.

    Args:
        results: the ensembles.
        analyses: what they show.
        out: the folder; files of an earlier state there are replaced.

    Raises:
        RunFolderError: it cannot be written.
    """
    skipped: list[str] = []
    pictures = _draw_all(results, analyses, out, skipped)
    tidy = tidy_tables(results, analyses)
    files = [write_csv(table, out) for table in tidy]
    try:
        files += [write_parquet(table, out) for table in tidy]
    except MissingExtraError as error:
        skipped.append(str(error))
    tables = [table for one in analyses for table in merged_tables(one, results.plan)]
    notes = merged_cautions(results, analyses)
    for name, text in (
        (PAGE, _render(results, analyses, notes, [path.name for path in pictures], skipped)),
        ("tables.tex", "\n\n".join(map(as_latex, tables)) + "\n"),
        ("tables.html", html_page(results.plan.name, [*map(as_html, tables), html_list(notes)])),
    ):
        write_text(out / name, text)
        files.append(out / name)
    page = out / PAGE
    return Written((page, *(path for path in [*pictures, *files] if path != page)), tuple(skipped))


def _render(
    results: MergedResults,
    analyses: Sequence[Analysis],
    notes: Sequence[str],
    pictures: Sequence[str],
    skipped: Sequence[str],
) -> str:
    plan = results.plan
    parts = [f"# {plain(plan.name)}", plain(plan.about, most=1000), _setup(results)]
    for one in analyses:
        parts.append(f"## {plain(one.task)}")
        parts += [f"- {plain(line, most=500)}" for line in gains(one, plan)]
        parts += [
            f"![{name}]({name})"
            for name in (_picture(one, result) for result in one.measures)
            if name in pictures
        ]
        parts += [as_markdown(table) for table in merged_tables(one, plan)]
    parts += ["## What this does not show", "\n".join(f"- {plain(note, most=2000)}" for note in notes)]
    if results.missing:
        parts += ["## Ensembles that are missing", "\n".join(missing_lines(results.missing))]
    if skipped:
        parts += ["## Not written", "\n".join(f"- {plain(line, most=500)}" for line in skipped)]
    parts += ["## Versions", ", ".join(f"{name} {version}" for name, version in versions().items())]
    return "\n\n".join(part for part in parts if part) + "\n"


def _setup(results: MergedResults) -> str:
    plan = results.plan
    lines = [
        f"{len(results.measured)} ensembles: {len(plan.all_conditions())} conditions × "
        f"{len(plan.seed_list)} seeds × {len(results.objectives)} task(s), each of "
        f"{number(plan.budget.amount)} candidates (or up to 2 % less) over all of its nodes.",
        *(f"- **{name}**: {plain(one.about)}" for name, one in plan.all_conditions().items() if one.about),
        *(f"- **{name}**: the mean of {', '.join(members)}" for name, members in plan.groups.items()),
    ]
    return "\n\n".join([lines[0], "\n".join(lines[1:])]).strip()


def _draw_all(
    results: MergedResults, analyses: Sequence[Analysis], out: Path, skipped: list[str]
) -> list[Path]:
    from speciate.experiments.pictures import draw_finals

    drawn: list[Path] = []
    out.mkdir(parents=True, exist_ok=True)
    try:
        for one in analyses:
            for result in one.measures:
                points = [
                    (values.name, np.sort(list(values.by_seed.values())))
                    for values in result.values
                    if values.by_seed
                ]
                title = f"{results.plan.name}, {one.task}: {result.measure.name}"
                draw_finals(points, Objective(result.measure.name), title, out / _picture(one, result))
                drawn.append(out / _picture(one, result))
    except MissingExtraError as error:
        skipped.append(str(error))
    return drawn


def _picture(analysis: Analysis, result: MeasureResult) -> str:
    return f"{result.measure.name}-{analysis.task}.png"
