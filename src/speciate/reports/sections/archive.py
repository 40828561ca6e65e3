"""Who lives in the archives at the end, and of whose descent they are."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from speciate.records import INITIAL
from speciate.reports.islands import IslandRow
from speciate.reports.report import Report
from speciate.reports.tables import table
from speciate.reports.words import number, percent

MOST_ISLANDS = 40


def archive(report: Report) -> str:
    """How well the archives are filled."""
    found, population = report.summary.archive, report.facts.population
    many = len(report.islands) or population.islands
    words = f"{found.size} candidates live on {many} island{'s' * (many != 1)} "
    words += f"(kind {population.archive.kind})."
    if found.coverage is not None:
        words += (
            f" {100 * found.coverage:.3g} % of the {report.facts.cells} cells are filled. The QD-Score is "
            f"{number(found.qd_score)} with offset {number(found.qd_offset)}."
        )
    return words


def islands(report: Report) -> str:
    """What happened on each island, or nothing where there is one."""
    found = report.islands
    if len(found) < 2:
        return ""
    head = (
        "island ",
        "opened after ",
        "occupants ",
        "best ",
        "by candidate ",
        "candidates ",
        "valid ",
        "new bests ",
        "migrants came ",
        "left ",
    )
    rows = [_island(row) for row in found[:MOST_ISLANDS]]
    rest = f"\n\n{len(found) - MOST_ISLANDS} more islands are left out." if len(found) > MOST_ISLANDS else ""
    return table(head, rows) + rest


def descent(report: Report) -> str:
    """How many lines of descent are alive, in parts of the run."""
    found = report.branches
    if not found.occupants.size or not found.occupants[-1]:
        return ""
    head = (
        "candidates closed ",
        "occupants ",
        "branches ",
        "effective ",
        "the largest holds ",
        "its first ",
        "common ancestor ",
        "closed since ",
        "half descend from ",
    )
    places = np.unique(np.linspace(0, len(found.closed) - 1, 6).astype(int))
    rows = [
        (
            str(found.closed[place]),
            str(found.occupants[place]),
            str(found.alive[place]),
            number(_known(found.effective[place]), digits=3),
            percent(_known(found.largest[place])),
            _ordinal(found.founders[place]),
            _ordinal(found.ancestors[place]),
            number(_known(found.ages[place])),
            _ordinal(found.heads[place]),
        )
        for place in places
    ]
    return (
        "A *branch* is a child of the initial program (or of another planted one), or a program made from "
        "nothing, with all its descendants by first parents. "
        "*Effective*: how many equally large branches would be as diverse as those in the archive, "
        "exp(−Σ p ln p) over their shares p (Hill 1973). *Common ancestor*: the youngest program from which "
        "all occupants descend, and how many candidates were closed since it was; *half*: the youngest from "
        f"which at least half of them do.\n\n{table(head, rows)}\n\n{_verdict(report)}"
    )


def _verdict(report: Report) -> str:
    found = report.branches
    alive, ancestor, head = int(found.alive[-1]), int(found.ancestors[-1]), int(found.heads[-1])
    last, largest = int(found.occupants[-1]), percent(float(found.largest[-1]))
    if last == 1:
        return f"At the end candidate {ancestor} lives alone."
    if alive == 1:
        return f"At the end one branch is left: all {last} occupants descend from candidate {ancestor}."
    words = f"At the end {alive} branches are alive, and the largest holds {largest} of the archive"
    if head <= INITIAL:
        return f"{words}; no program but the initial one has half of it among its descendants."
    return f"{words}; half of it or more descends from candidate {head}."


def _island(row: IslandRow) -> Sequence[str]:
    return (
        str(row.island),
        "–" if row.opened is None else str(row.opened),
        str(row.occupants),
        number(row.best),
        "–" if row.best_ordinal is None else str(row.best_ordinal),
        *(str(count) for count in (row.candidates, row.valid, row.new_bests, row.came, row.left)),
    )


def _known(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _ordinal(ordinal: int) -> str:
    return "–" if ordinal < 0 else str(ordinal)
