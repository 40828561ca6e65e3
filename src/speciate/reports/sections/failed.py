"""How candidates ended, by operator and proposer, and what was said of the failures."""

from __future__ import annotations

from collections.abc import Sequence

from speciate.reports.endings import VALID, EndingRow, columns
from speciate.reports.failures import FailureRow, RejectionRow
from speciate.reports.report import Report
from speciate.reports.tables import plain, table
from speciate.reports.words import duration, percent

MOST_ROWS = 40
"""Rows of each table; the most frequent are shown."""


def failed(report: Report) -> str:
    """How candidates ended by operator and proposer with the time it took, and failures by cause."""
    if not report.failures and not report.rejections:
        return "Nothing failed and nothing was turned away."
    parts = [
        _endings_table(report.endings),
        _failure_table(report.failures[:MOST_ROWS]),
        _rejection_table(report.rejections[:MOST_ROWS]),
        _left_out(report),
    ]
    return "\n\n".join(filter(None, parts))


def _endings_table(rows: Sequence[EndingRow]) -> str:
    if not rows:
        return ""
    endings = columns(rows)
    heads = (VALID if ending == VALID else plain(ending) for ending in endings)
    head = ("operator", "proposer", "candidates ", *(f"{name} " for name in heads), "time lost ")
    told = [
        (
            plain(row.operator),
            plain(row.proposer),
            str(row.total.candidates),
            *(_cell(row, ending) for ending in endings),
            "–" if row.lost is None else f"{percent(row.lost)} of {duration(row.total.seconds)}",
        )
        for row in rows[:MOST_ROWS]
    ]
    return (
        "Closed candidates by how they ended, with the time of their model calls and evaluations. "
        f"*Time lost*: the share that went into candidates without a score.\n\n{table(head, told)}"
    )


def _cell(row: EndingRow, ending: str) -> str:
    ended = row.endings.get(ending)
    return "" if ended is None else f"{ended.candidates} ({duration(ended.seconds)})"


def _failure_table(found: Sequence[FailureRow]) -> str:
    head = ("failure", "operator", "proposer", "candidates ", "evaluation time ", "first one ", "it said")
    rows = [
        (
            r.kind.value,
            plain(r.operator),
            plain(r.proposer),
            str(r.count),
            duration(r.seconds),
            str(r.example),
            plain(r.message),
        )
        for r in found
    ]
    return table(head, rows) if rows else ""


def _rejection_table(found: Sequence[RejectionRow]) -> str:
    head = ("turned away at", "reason", "attempts ", "candidates closed ", "first one ", "it said")
    rows = [
        (r.step, plain(r.reason), str(r.attempts), str(r.final), str(r.example), plain(r.message))
        for r in found
    ]
    return table(head, rows) if rows else ""


def _left_out(report: Report) -> str:
    longest = max(map(len, (report.endings, report.failures, report.rejections)))
    return f"The most frequent {MOST_ROWS} rows of each table are shown." if longest > MOST_ROWS else ""
