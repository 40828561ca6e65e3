"""What the course of a run was: its score, its rounds, how far it strayed from where it began."""

from __future__ import annotations

from collections.abc import Sequence

from speciate.reports.report import Report
from speciate.reports.seed_distance import distance_rows
from speciate.reports.summary import RoundSummary
from speciate.reports.tables import table
from speciate.reports.words import exact, number, percent, scored_in

MOST_ROUNDS = 40
"""Rounds that are shown, half of them first and half last ones."""


def progress(report: Report) -> str:
    """When shares of the gain were reached."""
    curve, reached = report.curve, report.milestones
    if not reached:
        return "Nothing became better than the initial program."
    last = {m.ordinal: m for m in reached}  # one leap may take several of the shares
    rows = [
        (f"{100 * m.share:.0f} %", number(m.score), str(m.closed), str(m.valid), str(m.ordinal))
        for m in last.values()
    ]
    changes = int((curve.improved & (curve.ordinals != 0)).sum())
    return (
        f"The best changed {changes} time{'s' * (changes != 1)} after the initial program. "
        "Shares of the whole gain were reached as follows.\n\n"
        + table(
            ("share of the gain ", "best score ", "candidates closed ", "valid ones ", "by candidate "), rows
        )
    )


def rounds(report: Report) -> str:
    """How each round ended, or nothing for a run without rounds."""
    played = report.summary.rounds
    if not played:
        return ""
    head = ("round ", "champion ", "score in its round ", "generality ", "ended by")
    half = MOST_ROUNDS // 2
    shown = played if len(played) <= MOST_ROUNDS else [*played[:half], *played[-half:]]
    words = "Scores of different rounds are of different company and cannot be compared."
    if any(one.generality is not None for one in played):
        words += " *Generality*: the share of held-out opponents that the champion beats or ties one to one."
    if len(shown) < len(played):
        words += f" The {len(played) - len(shown)} rounds in the middle are left out."
    return f"{words}\n\n{table(head, [_round_row(one) for one in shown])}"


def distance(report: Report) -> str:
    """How far kept programs and the best were from the initial program, in parts of the run."""
    found = report.distances
    if not found.kept:
        return ""
    rows = [
        (
            f"{row.start + 1} to {row.end}",
            str(row.measured),
            number(row.median, digits=3),
            "–" if row.low is None else f"{number(row.low, digits=3)} to {number(row.high, digits=3)}",
            number(row.best, digits=3),
        )
        for row in distance_rows(found, len(report.curve.best))
    ]
    head = (
        "candidates closed",
        "programs measured ",
        "median distance ",
        "middle 80 %",
        "the best at the end ",
    )
    return (
        "The distance of a program from the initial one is the share of tokens that the two do not have in "
        "common in the same order: 0 is equal, 1 has nothing in common. Comments, layout and what may not "
        f"change are left out. {_measured(len(found.ordinals), found.kept)}\n\n{table(head, rows)}"
    )


def _measured(measured: int, kept: int) -> str:
    if measured >= kept:
        return "All kept programs are measured."
    return f"{measured} of the {kept} kept programs are measured, evenly over the run."


def _round_row(one: RoundSummary) -> Sequence[str]:
    return (
        str(one.number + 1),
        "–" if one.champion is None else str(one.champion),
        "–" if one.score is None else exact(one.score) + scored_in(one.scored_in),
        percent(one.generality),
        "skipped the rest" if one.reason == "skip" else "all candidates placed",
    )
