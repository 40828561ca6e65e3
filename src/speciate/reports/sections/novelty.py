"""What the screens of novelty stopped, and what they cost."""

from __future__ import annotations

from speciate.reports.report import Report
from speciate.reports.screens import screens_section
from speciate.reports.tables import table
from speciate.reports.words import dollars, duration


def novelty(report: Report) -> str:
    """What was screened, and what the attempts cost that came after stopped ones; nothing if nothing came."""
    screened = screens_section(report.history.screens, report.summary.counts.valid)
    if not report.tried_again:
        return screened
    head = ("stopped by", "attempts ", "closed ", "calls to try again ", "they cost ", "they took ")
    rows = [
        (
            again.screen,
            str(again.stopped),
            str(again.closed),
            str(again.usage.calls),
            dollars(again.usage.cost),
            duration(again.seconds),
        )
        for again in report.tried_again
    ]
    words = "An attempt that is stopped is made again, unless it was its candidate's last (*closed*):"
    return f"{screened}\n\n{words}\n\n{table(head, rows)}"
