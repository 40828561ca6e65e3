"""Replies that no program could be read from."""

from __future__ import annotations

from collections.abc import Sequence

from speciate.reports.report import Report
from speciate.reports.tables import plain, table
from speciate.reports.unusable import ReplyRow
from speciate.reports.words import dollars, duration, share


def replies(report: Report) -> str:
    """How many replies were unusable, what they cost and how many came in a row; nothing without models."""
    rows = report.replies
    if not rows:
        return ""
    bound = (
        "An unusable reply is one that no program could be read from; errors of a provider are among them. "
        f"The settings let one candidate take at most {report.most_replies} replies."
    )
    if not any(row.unusable for row in rows):
        return f"All {sum(row.replies for row in rows)} replies could be read. {bound}"
    head = (
        "proposer",
        "replies ",
        "unusable ",
        "share ",
        "reasons",
        "they cost ",
        "they took ",
        "most in a row ",
        "candidates",
        "cost ",
        "took ",
    )
    return f"{bound}\n\n{table(head, [_row(row) for row in rows])}"


def _row(row: ReplyRow) -> Sequence[str]:
    reasons = ", ".join(f"{plain(reason)} {count}" for reason, count in row.reasons.items()) or "–"
    counts = (str(row.replies), str(row.unusable), share(row.unusable, row.replies))
    spent = (dollars(row.usage.cost), duration(row.seconds))
    return (plain(row.proposer), *counts, reasons, *spent, *_longest(row))


def _longest(row: ReplyRow) -> Sequence[str]:
    longest = row.longest
    if longest is None:
        return ("–",) * 4
    alone = longest.first == longest.last
    candidates = str(longest.first) if alone else f"{longest.first} to {longest.last}"
    return (str(longest.replies), candidates, dollars(longest.usage.cost), duration(longest.seconds))
