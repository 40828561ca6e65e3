"""What each proposer and each operator came to."""

from __future__ import annotations

from collections.abc import Mapping

from speciate.reports.costs import Work
from speciate.reports.report import Report
from speciate.reports.tables import plain, table
from speciate.reports.words import dollars, duration, percent, share


def proposers(report: Report) -> str:
    """What each proposer and each operator came to, and who was chosen when."""
    parts = [
        _work_table("proposer", report.proposers),
        _work_table("operator", report.operators),
        _shares(report),
    ]
    return "\n\n".join(part for part in parts if part) or "Nobody was asked yet."


def _shares(report: Report) -> str:
    found = report.shares
    if len(found.proposers) < 2:
        return ""
    starts = [1, *(int(end) + 1 for end in found.ends[:-1])]
    head = ("candidates", *(f"{plain(name)} " for name in found.proposers))
    rows = [
        (f"{start} to {end}", *(percent(value) for value in part))
        for start, end, part in zip(starts, found.ends, found.shares.tolist(), strict=True)
    ]
    words = "Shares of the candidates that were given to each proposer, as the run went on:"
    return f"{words}\n\n{table(head, rows)}"


def _work_table(name: str, works: Mapping[str, Work]) -> str:
    head = (
        name,
        "candidates ",
        "turned away ",
        "failed ",
        "valid ",
        "new bests ",
        "calls ",
        "cost ",
        "model time ",
        "evaluation time ",
    )
    rows = [
        (
            plain(key),
            str(w.assigned),
            share(w.rejected, w.finished),
            share(w.failed, w.finished),
            share(w.valid, w.finished),
            str(w.improved),
            str(w.usage.calls),
            dollars(w.cost),
            duration(w.model_seconds),
            duration(w.evaluation_seconds),
        )
        for key, w in works.items()
    ]
    return table(head, rows) if rows else ""
