"""How the best came about, and what the programs on the way were when they were placed."""

from __future__ import annotations

from collections.abc import Sequence

from speciate.records import INITIAL
from speciate.reports.lineage import PathStep, operators_along
from speciate.reports.report import Report
from speciate.reports.stepping_stones import RankRow, SteppingStones, Use
from speciate.reports.tables import plain, table
from speciate.reports.words import gain, number, percent, scored_in, share

MOST_STEPS = 30
"""Rows of the table of ancestors; of a longer path the steps that gained most are shown."""


def ancestry(report: Report) -> str:
    """The line of parents that led to the best, and what its operators did."""
    if report.summary.best is None:
        return "There is no best yet."
    path = report.path
    if len(path) == 1:
        return _rootless(report)
    shown = notable(path)
    left_out = len(path) - len(shown)
    models = any(step.model for step in shown)
    head = (
        "step ",
        "candidate ",
        "other parents",
        "operator",
        "model" if models else "proposer",
        "score ",
        "change ",
        "what was done",
    )
    rows = [_step_row(step, models=models, last=report.history.epoch) for step in shown]
    works = [(plain(name), str(done.steps), gain(done.gain)) for name, done in operators_along(path).items()]
    root = "the initial program" if path[0].ordinal == INITIAL else f"candidate {path[0].ordinal}"
    return "\n\n".join(
        [
            f"The best is {len(path) - 1} steps from {root}; changes above zero are better."
            + (f" The {left_out} steps that gained least are left out." if left_out else ""),
            table(head, rows),
            table(("operator", "steps on the path ", "change together "), works),
        ]
    )


def _rootless(report: Report) -> str:
    """What is said of a best program that has no parent."""
    (only,) = report.path
    if only.ordinal == INITIAL:
        return "The initial program is still the best."
    if report.history.candidates[only.ordinal].choice.planted:
        return f"The best is candidate {only.ordinal}, which nobody proposed: it was planted."
    return f"The best is candidate {only.ordinal}, which {plain(only.proposer)} made from nothing."


def notable(path: Sequence[PathStep], most: int = MOST_STEPS) -> Sequence[PathStep]:
    """Returns the steps to show, in their order: both ends, and those between that gained most."""
    if len(path) <= most:
        return path
    between = sorted(path[1:-1], key=lambda step: (-(step.gain or 0.0), step.generation))
    kept = {path[0].generation, path[-1].generation, *(s.generation for s in between[: most - 2])}
    return [step for step in path if step.generation in kept]


def stones(report: Report) -> str:
    """What the ancestors of the best were when they were placed, and what came of whom."""
    found = report.stones
    if not any(row.children for row in found.rows):
        return ""
    head = (
        "when it was placed",
        "programs ",
        "parents ",
        "children ",
        "valid ",
        "new bests among them ",
        "per 100 children ",
        "on the path ",
    )
    parts = [
        _on_the_way(found),
        "When it was placed, a program was a *new best*, or else in the *upper* or *lower half* of the "
        "archive of that moment by the first objective, or it was *not kept*.",
        table(head, [_rank_row(row) for row in found.rows]),
    ]
    if found.most_used:
        uses = ("built upon most", "when it was placed", "score ", "children ", "joined ", "shown ", "")
        parts.append(table(uses, [_use_row(use) for use in found.most_used]))
    if found.unused is not None:
        parts.append(f"{percent(found.unused)} of the valid programs were never changed into another one.")
    return "\n\n".join(parts)


def _on_the_way(found: SteppingStones) -> str:
    words = []
    if found.ancestors:
        words.append(
            f"Programs between the first one on the path and the best: {found.ancestors}; not the best when "
            f"they were placed: {_part(found.never_best, found.ancestors)}; mediocre, which is in the lower "
            f"half or not kept: {_part(found.mediocre, found.ancestors)}."
        )
    if found.new_bests:
        words.append(
            f"New bests with a valid parent: {found.new_bests}; made of a program that had not been the best "
            f"itself: {_part(found.from_others, found.new_bests)}; of a mediocre one: "
            f"{_part(found.from_mediocre, found.new_bests)}."
        )
    return " ".join(words)


def _part(part: int, whole: int) -> str:
    return f"{part} ({share(part, whole)})"


def _rank_row(row: RankRow) -> Sequence[str]:
    rate = 100 * row.new_bests / row.children if row.children else None
    counts = (row.programs, row.parents, row.children, row.valid, row.new_bests)
    return (row.rank.value, *map(str, counts), number(rate, digits=2), str(row.on_path))


def _use_row(use: Use) -> Sequence[str]:
    counts = (str(use.children), str(use.joined), str(use.shown))
    place = "on the path to the best" if use.on_path else ""
    return (str(use.ordinal), use.rank.value, number(use.score), *counts, place)


def _step_row(step: PathStep, *, models: bool, last: int) -> Sequence[str]:
    others = ", ".join(map(str, step.parents[1:])) or "–"
    maker = step.model or step.proposer if models else step.proposer
    return (
        str(step.generation),
        str(step.ordinal),
        others,
        plain(step.operator),
        plain(maker),
        number(step.score) + scored_in(None if step.epoch == last else step.epoch),
        gain(step.gain),
        plain(step.summary),
    )
