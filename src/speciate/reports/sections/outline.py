"""The order of the sections, and where the pictures stand."""

from __future__ import annotations

from collections.abc import Sequence

from speciate.reports.prompts import asking_section
from speciate.reports.report import Report
from speciate.reports.scratchpad import scratchpad_section
from speciate.reports.sections.ancestry import ancestry, stones
from speciate.reports.sections.archive import archive, descent, islands
from speciate.reports.sections.course import distance, progress, rounds
from speciate.reports.sections.failed import failed
from speciate.reports.sections.novelty import novelty
from speciate.reports.sections.ran import settings, time_spent, versions
from speciate.reports.sections.replies import replies
from speciate.reports.sections.result import result
from speciate.reports.sections.work import proposers
from speciate.reports.tables import plain

ALT = {
    "curve.png": "Scores of all candidates and the best so far",
    "rounds.png": "The champion of each round",
    "pareto.png": "The first two objectives of all valid candidates, and which are not dominated",
    "lineage.png": "The tree of valid candidates and the path to the best",
    "distance.png": "How far kept programs and the best are from the initial program",
    "archive_map.png": "The best score in each cell of the archive",
    "branches.png": "How many branches are alive in the archive, and what the largest holds",
    "proposers.png": "Who was chosen to propose",
}
"""What each picture shows, for those who do not see it."""


def render(report: Report, *, pictures: Sequence[str], missing: str | None) -> str:
    """Returns the whole page.

    Args:
        report: the run.
        pictures: names of the pictures beside the page.
        missing: why there are no pictures, or None when all that could be drawn were.
    """
    notes = [*report.remarks]
    if missing is not None:
        notes.append(f"**No pictures:** {plain(missing, most=200)}.")

    def shown(name: str) -> str:
        return f"![{ALT[name]}]({name})" if name in pictures else ""

    noted = "" if report.notebook is None else scratchpad_section(report.notebook)
    sections = [
        f"# {plain(report.facts.spec.name)}: report of a run",
        "\n>\n".join(f"> {note}" for note in notes),
        _section("Result", result(report)),
        _section("How the score came up", shown("curve.png"), progress(report)),
        _section("Rounds", shown("rounds.png"), rounds(report)),
        _section("Between the objectives", shown("pareto.png")),
        _section("How the best came about", shown("lineage.png"), ancestry(report)),
        _section("Stepping stones", stones(report)),
        _section("Distance from the initial program", shown("distance.png"), distance(report)),
        _section("Archive", shown("archive_map.png"), archive(report)),
        _section("Islands", islands(report)),
        _section("Branches", shown("branches.png"), descent(report)),
        _section("Who proposed", shown("proposers.png"), proposers(report)),
        _section("Novelty", novelty(report)),
        _section("Prompts", asking_section(report.asking)),
        _section("Scratchpad", noted),
        _section("What failed", failed(report)),
        _section("Unusable replies", replies(report)),
        _section("Time", time_spent(report)),
        _section("Settings", settings(report)),
        _section("Versions", versions(report)),
    ]
    return "\n\n".join(section for section in sections if section) + "\n"


def _section(title: str, *parts: str) -> str:
    """Returns a section, or nothing if nothing stands in it."""
    told = [part for part in parts if part]
    return "\n\n".join([f"## {title}", *told]) if told else ""
