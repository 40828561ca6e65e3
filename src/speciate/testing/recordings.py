"""Runs that are recorded under examples/: what a replay has to come to."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

from speciate.records import text_hash
from speciate.store import Candidate, RunHistory

COLUMNS = ("ordinal", "operator", "parents", "attempts", "rejected", "ended", "score", "program")


def rows(history: RunHistory) -> list[tuple[str, ...]]:
    """Returns a row for each candidate, in the order of their ordinals, as `COLUMNS` names its values."""
    return [_row(candidate) for _, candidate in sorted(history.candidates.items())]


def _row(candidate: Candidate) -> tuple[str, ...]:
    outcome = candidate.outcomes[0][1] if candidate.outcomes else None
    fitness = None if outcome is None else outcome.fitness
    failure = None if outcome is None else outcome.failure
    return (
        str(candidate.ordinal),
        candidate.choice.operator,
        " ".join(map(str, candidate.choice.parents)),
        str(candidate.attempts),
        " ".join(f"{each.step}:{each.reason}" for each in candidate.rejections),
        candidate.status if failure is None else failure.kind.value,
        "" if fitness is None else f"{fitness[0]:.9f}",
        "" if candidate.program is None else text_hash(repr(candidate.program))[:12],
    )


def write_rows(found: Sequence[tuple[str, ...]], path: Path) -> None:
    """Writes the rows as CSV with a header."""
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([COLUMNS, *found])


def read_rows(path: Path) -> list[tuple[str, ...]]:
    """Reads what `write_rows` wrote, without the header."""
    with path.open(newline="", encoding="utf-8") as file:
        return [tuple(row) for row in csv.reader(file)][1:]
