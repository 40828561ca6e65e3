"""The report of a run: one Markdown page and its pictures."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from speciate.errors import MissingExtraError, RunFolderError
from speciate.reports.archive_map import archive_map
from speciate.reports.convergence import convergence
from speciate.reports.lineage import lineage
from speciate.reports.manifest import read_facts
from speciate.reports.pareto import pareto_front
from speciate.reports.pictures import draw_archive_map, draw_convergence, draw_lineage, draw_pareto
from speciate.reports.sections import Report, render
from speciate.reports.summary import summarise
from speciate.store import RunHistory, open_reader

PAGE = "report.md"
PICTURES = ("curve.png", "pareto.png", "lineage.png", "archive_map.png")


def write_report(folder: Path, out: Path | None = None) -> list[Path]:
    """Writes the report of a run, also while it goes on; equal histories give equal files.

    Args:
        folder: the run's folder.
        out: where the report goes; None is ``report`` within the run's folder. Made if it is not there; an
            earlier report there is replaced.

    Returns:
        The files written, the page first. Without matplotlib there are no pictures, and the page says why.

    Raises:
        RunFolderError: the folder holds no run, or the report cannot be written.
        StoreError: the history cannot be read.
        StoreCorruptError: the history cannot be understood.
    """
    out = folder / "report" if out is None else out
    with closing(open_reader(folder)) as reader:
        history = RunHistory(reader)
        report = Report(history, read_facts(reader), summarise(history, folder=folder))
        try:
            out.mkdir(parents=True, exist_ok=True)
            pictures, missing = _draw_all(report, out)
            page = out / PAGE
            _write(page, render(report, pictures=[path.name for path in pictures], missing=missing))
        except OSError as error:
            raise RunFolderError(
                f"the report cannot be written to {out}: {error.strerror or error}"
            ) from error
    return [page, *pictures]


def _draw_all(report: Report, out: Path) -> tuple[list[Path], str | None]:
    """Draws what there is to draw; returns the files, and why none could be drawn or None."""
    for name in PICTURES:  # one of an earlier report must not stand beside the new page
        (out / name).unlink(missing_ok=True)
    drawn: list[Path] = []
    try:
        for name, draw in _pictures(report).items():
            draw(out / name)
            drawn.append(out / name)
    except MissingExtraError as error:
        return [], str(error)
    return drawn, None


def _pictures(report: Report) -> dict[str, Callable[[Path], None]]:
    history, objective, task = report.history, report.facts.objective, report.facts.spec.name
    curve, tree = convergence(history, objective), lineage(history, objective)
    cells, front = archive_map(history, report.facts), pareto_front(history, report.facts)
    pictures: dict[str, Callable[[Path], None]] = {}
    if curve.valid.any():
        pictures["curve.png"] = lambda path: draw_convergence(curve, objective, f"{task}: score", path)
        if front is not None and front.ordinals.size:
            pictures["pareto.png"] = lambda path: draw_pareto(front, f"{task}: objectives", path)
        pictures["lineage.png"] = lambda path: draw_lineage(tree, objective, f"{task}: lineage", path)
    if cells is not None and cells.filled:
        pictures["archive_map.png"] = lambda path: draw_archive_map(
            cells, objective, f"{task}: archive", path
        )
    return pictures


def _write(path: Path, text: str) -> None:
    partial = path.with_name(f".{path.name}.partial")
    partial.write_text(text, encoding="utf-8")
    partial.replace(path)
