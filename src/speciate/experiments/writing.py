"""The files that every experiment ends in, whatever its page says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from speciate.errors import MissingExtraError
from speciate.experiments.manifest import versions, write_text
from speciate.experiments.results import Missing
from speciate.experiments.tidy import Tidy, write_csv, write_parquet
from speciate.reports import Table, as_html, as_latex, html_list, html_page, plain

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


@dataclass(frozen=True, slots=True)
class Contents:
    """What an experiment has to say.

    Attributes:
        name: of the plan.
        parts: the page's own paragraphs, in Markdown.
        tables: for the files in LaTeX and HTML.
        notes: what was not shown and must be known, a sentence each.
        missing: runs that do not count.
        tidy: tables of values.
        timing: one more of them, which depends on the machine; None without.
    """

    name: str
    parts: Sequence[str]
    tables: Sequence[Table]
    notes: Sequence[str]
    missing: Sequence[Missing]
    tidy: Sequence[Tidy]
    timing: Tidy | None = None


def write_contents(
    contents: Contents, pictures: Sequence[Path], skipped: Sequence[str], out: Path
) -> Written:
    """Writes page and tables; equal contents give equal files, but for timing.

    Args:
        contents: what is said.
        pictures: those that are drawn.
        skipped: what could not be drawn and why.
        out: the folder; files of an earlier state there are replaced.

    Raises:
        RunFolderError: it cannot be written.
    """
    left_out = list(skipped)
    timed = () if contents.timing is None else (contents.timing,)
    files = [write_csv(table, out) for table in (*contents.tidy, *timed)]
    try:
        files += [write_parquet(table, out) for table in contents.tidy]
    except MissingExtraError as error:
        left_out.append(str(error))
    tables = contents.tables
    for name, text in (
        (PAGE, _page(contents, left_out)),
        ("tables.tex", "\n\n".join(map(as_latex, tables)) + "\n"),
        ("tables.html", html_page(contents.name, [*map(as_html, tables), html_list(contents.notes)])),
    ):
        write_text(out / name, text)
        files.append(out / name)
    page = out / PAGE
    return Written((page, *(path for path in [*pictures, *files] if path != page)), tuple(left_out))


def _page(contents: Contents, skipped: Sequence[str]) -> str:
    parts = [*contents.parts, "## What this does not show"]
    parts.append("\n".join(f"- {plain(note, most=2000)}" for note in contents.notes))
    if contents.missing:
        lines = [
            f"- {plain(one.job.key)} ({one.state}): {plain(one.reason, most=300)}" for one in contents.missing
        ]
        parts += ["## Runs that are missing", "\n".join(lines)]
    if skipped:
        parts += ["## Not written", "\n".join(f"- {plain(line, most=500)}" for line in skipped)]
    parts += ["## Versions", ", ".join(f"{name} {version}" for name, version in versions().items())]
    return "\n\n".join(part for part in parts if part) + "\n"
