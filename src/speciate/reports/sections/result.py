"""What ran and what it came to."""

from __future__ import annotations

from speciate.records import Objective, Ordinal, Scalar
from speciate.reports.report import Report
from speciate.reports.summary import Summary, earlier_round
from speciate.reports.tables import plain, table
from speciate.reports.words import dollars, duration, exact, number, scored_in

MOST_METRICS = 12
"""Metrics of the best that are shown."""


def result(report: Report) -> str:
    """What ran and what it came to."""
    summary, objective = report.summary, report.objective
    better = "higher" if objective.direction == "maximize" else "lower"
    seed = report.history.candidates.get(0)
    first = None if seed is None else report.history.score(0)
    rows = [
        ("objective", f"{plain(objective.name)}, {better} is better"),
        ("initial program", number(None if first is None else objective.outward(first)) + _older(report, 0)),
        ("best", "nothing valid yet" if summary.best is None else _best_words(report)),
        *_further_objectives(report),
        *_older_scores(summary),
        ("status", summary.status + (f" ({plain(summary.stop_reason)})" if summary.stop_reason else "")),
        ("candidates", _candidate_words(summary)),
        ("cost", _cost(summary)),
        ("time", duration(summary.seconds)),
        ("seed", str(summary.seed)),
    ]
    return table(("", report.facts.spec.name), rows)


def _cost(summary: Summary) -> str:
    counts = summary.counts
    text = f"{dollars(summary.cost)} in {counts.usage.calls} model calls"
    asked = counts.queries
    if not asked.calls:
        return text
    return f"{text}, {asked.calls} of them by candidates under evaluation ({dollars(asked.cost)})"


def _best_words(report: Report) -> str:
    best = report.summary.best
    assert best is not None
    words = f"**{exact(best.score)}**{_older(report, best.ordinal)}, candidate {best.ordinal}"
    metrics = [f"{plain(n)} = {_metric(v)}" for n, v in best.public.items() if v != best.score]
    shown = ", ".join(metrics[:MOST_METRICS]) + (", …" if len(metrics) > MOST_METRICS else "")
    return words + (f" ({shown})" if metrics else "")


def _older(report: Report, ordinal: Ordinal) -> str:
    if ordinal not in report.history.candidates:
        return ""
    return scored_in(earlier_round(report.history, ordinal))


def _older_scores(summary: Summary) -> list[tuple[str, str]]:
    archive = summary.archive
    if not archive.older:
        return []
    words = f"those of {archive.older} of {archive.size} occupants are of earlier rounds, in other company"
    return [("scores", words)]


def _metric(value: Scalar) -> str:
    return exact(value) if isinstance(value, float) else plain(str(value))


def _further_objectives(report: Report) -> list[tuple[str, str]]:
    best = report.history.best()
    epoch = None if best is None else report.history.scored_in(best.ordinal)
    outcome = None if best is None or epoch is None else best.outcome_in(epoch)
    if outcome is None or outcome.fitness is None:
        return []
    specs = report.facts.spec.objectives[1:]
    return [
        (f"its {plain(spec.name)}", number(Objective(spec.name, spec.direction).outward(score)))
        for spec, score in zip(specs, outcome.fitness[1:], strict=True)
    ]


def _candidate_words(summary: Summary) -> str:
    counts = summary.counts
    words = [
        f"{counts.proposed} proposed",
        f"{sum(counts.rejected.values())} turned away",
        f"{counts.evaluated} evaluated with the initial program",
        f"{counts.valid} of these valid",
    ]
    words += [f"{counts.cached} taken from an equal program"] if counts.cached else []
    words += [f"{counts.rescored} runs to score again"] if counts.rescored else []
    words += [f"{summary.waiting} waiting for their place"] if summary.waiting else []
    return ", ".join(words)
