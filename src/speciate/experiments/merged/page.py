"""The results of an experiment on ensembles: page, tables, pictures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from speciate.errors import MissingExtraError
from speciate.experiments.jobs import SLACK
from speciate.experiments.merged.analysis import Analysis, MeasureResult
from speciate.experiments.merged.cautions import gains, merged_cautions
from speciate.experiments.merged.measures import MergedResults
from speciate.experiments.merged.tables import merged_tables
from speciate.experiments.merged.tidy import tidy_tables
from speciate.experiments.writing import Contents, Written, write_contents
from speciate.records import Objective
from speciate.reports import as_markdown, number, plain


def write_merged_results(results: MergedResults, analyses: Sequence[Analysis], out: Path) -> Written:
    """Writes page, tables and pictures; see `write_contents`.

    Args:
        results: the ensembles.
        analyses: what they show.
        out: the folder.
    """
    skipped: list[str] = []
    pictures = _draw_all(results, analyses, out, skipped)
    contents = Contents(
        name=results.plan.name,
        parts=_parts(results, analyses, [path.name for path in pictures]),
        tables=[table for one in analyses for table in merged_tables(one, results.plan)],
        notes=merged_cautions(results, analyses),
        missing=results.missing,
        tidy=tidy_tables(results, analyses),
    )
    return write_contents(contents, pictures, skipped, out)


def _parts(results: MergedResults, analyses: Sequence[Analysis], pictures: Sequence[str]) -> list[str]:
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
    return parts


def _setup(results: MergedResults) -> str:
    plan = results.plan
    lines = [
        f"{len(results.measured)} ensembles: {len(plan.all_conditions())} conditions × "
        f"{len(plan.seed_list)} seeds × {len(results.objectives)} task(s), each of "
        f"{number(plan.budget.amount)} candidates (or up to {SLACK:.0%} less) over all of its nodes.",
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
