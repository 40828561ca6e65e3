"""The report of a run: one Markdown page and its pictures."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from speciate.errors import MissingExtraError, RunFolderError
from speciate.files import write_whole
from speciate.records import Event
from speciate.reports.pictures import (
    draw_archive_map,
    draw_branches,
    draw_convergence,
    draw_distances,
    draw_lineage,
    draw_pareto,
    draw_rounds,
    draw_shares,
)
from speciate.reports.report import Report, light, read_report
from speciate.reports.sections import render
from speciate.store import RunHistory, StoreReader, open_reader

PAGE = "report.md"
PICTURES = (
    "curve.png",
    "rounds.png",
    "pareto.png",
    "lineage.png",
    "distance.png",
    "archive_map.png",
    "branches.png",
    "proposers.png",
)
"""All that may be drawn, in the order of the page."""

LEAST = 10
"""Candidates from which on there is a course worth drawing: distances, branches, who proposed."""


@dataclass(frozen=True, slots=True)
class WrittenReport:
    """A report that was written.

    Attributes:
        report: what it tells, as data.
        files: the page, then the pictures; none of these where matplotlib is not installed.
    """

    report: Report
    files: list[Path]


def write_report(folder: Path, out: Path | None = None) -> list[Path]:
    """Writes the report of a run and returns its files, the page first; see `make_report`."""
    return make_report(folder, out).files


def make_report(folder: Path, out: Path | None = None) -> WrittenReport:
    """Writes the report of a run, also while it goes on; equal histories give equal files.

    Args:
        folder: the run's folder.
        out: where the report goes; None is ``report`` within the run's folder. Made if it is not there; an
            earlier report there is replaced.

    Returns:
        The data and the files. Without matplotlib there are no pictures, and the page says why.

    Raises:
        RunFolderError: the folder holds no run, or the report cannot be written.
        StoreError: the history cannot be read.
        StoreCorruptError: the history cannot be understood.
    """
    out = folder / "report" if out is None else out
    with closing(open_reader(folder)) as reader:
        report = _read(reader, folder)
        try:
            out.mkdir(parents=True, exist_ok=True)
            pictures, missing = _draw_all(report, out)
            page = out / PAGE
            write_whole(page, render(report, pictures=[path.name for path in pictures], missing=missing))
        except OSError as error:
            raise RunFolderError(
                f"the report cannot be written to {out}: {error.strerror or error}"
            ) from error
    return WrittenReport(report, [page, *pictures])


def _read(reader: StoreReader, folder: Path) -> Report:
    """Gathers what is told of a run; its events are read once."""
    events: list[Event] = []

    def keep(event: Event) -> None:
        if light(event):
            events.append(event)

    return read_report(RunHistory(reader, listener=keep), folder=folder, events=events)


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
    """Returns what can be drawn of a run, in the order of the page."""
    drawn = {**_scores(report), **_course(report)}
    return {name: drawn[name] for name in PICTURES if name in drawn}


def _scores(report: Report) -> dict[str, Callable[[Path], None]]:
    objective, task = report.objective, report.facts.spec.name
    front, cells = report.front, report.cells
    drawn: dict[str, Callable[[Path], None]] = {}
    if report.curve.valid.any():
        drawn["curve.png"] = lambda path: draw_convergence(report.curve, objective, f"{task}: score", path)
        drawn["lineage.png"] = lambda path: draw_lineage(report.tree, objective, f"{task}: lineage", path)
        if front is not None and front.ordinals.size:
            drawn["pareto.png"] = lambda path: draw_pareto(front, f"{task}: objectives", path)
    if cells is not None and cells.filled:
        drawn["archive_map.png"] = lambda path: draw_archive_map(cells, objective, f"{task}: archive", path)
    return drawn


def _course(report: Report) -> dict[str, Callable[[Path], None]]:
    task, played = report.facts.spec.name, report.summary.rounds
    drawn: dict[str, Callable[[Path], None]] = {}
    if sum(one.score is not None for one in played) > 1:
        drawn["rounds.png"] = lambda path: draw_rounds(played, report.objective, f"{task}: rounds", path)
    if len(report.curve.best) < LEAST:
        return drawn
    if len(report.distances.ordinals) > 1:
        title = f"{task}: distance from the initial program"
        drawn["distance.png"] = lambda path: draw_distances(report.distances, title, path)
    if report.branches.occupants.any():
        drawn["branches.png"] = lambda path: draw_branches(report.branches, f"{task}: branches", path)
    if len(report.shares.proposers) > 1:
        drawn["proposers.png"] = lambda path: draw_shares(report.shares, f"{task}: who proposed", path)
    return drawn
