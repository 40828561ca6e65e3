"""The results of an experiment on ensembles as tables, in the layout of DEI's (arXiv 2605.27130)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean, stdev

from speciate.experiments.merged.analysis import Analysis, MeasureResult, Values
from speciate.experiments.merged.measures import MEASURES, MeasuredEnsemble, Seat
from speciate.experiments.merged.predictions import Predicted
from speciate.experiments.plan import Plan, PublishedConfig
from speciate.records import Objective
from speciate.reports import Table, number, pairs_table

_MOST_SUBSETS = 3
"""Rows a size in the table of subsets: the widest, and the narrowest of all."""


def merged_tables(analysis: Analysis, plan: Plan) -> tuple[Table, ...]:
    """Returns all tables of one task that have rows."""
    found = [
        conditions_table(analysis, plan),
        seats_table(analysis),
        *(_pairs(analysis, result, plan) for result in analysis.measures),
        *(_members(analysis, result, plan) for result in analysis.measures),
        spending_table(analysis),
        *(
            ()
            if analysis.predicted is None
            else (_predicted(analysis.predicted), _subsets(analysis.predicted))
        ),
        *published_tables(plan),
    ]
    return tuple(table for table in found if table is not None and table.rows)


def condition_rows(analysis: Analysis) -> list[tuple[str, ...]]:
    """Returns head and rows of the shortest table: the mean of each measure by condition and group."""
    names = [one.name for one in analysis.measures[0].values] if analysis.measures else []
    head = ("condition", "seeds", *(result.measure.name for result in analysis.measures))
    return [
        head,
        *(
            (
                name,
                str(len(analysis.measures[0].of(name).by_seed)),
                *(_mean_std(result.of(name).by_seed) for result in analysis.measures),
            )
            for name in names
        ),
    ]


def conditions_table(analysis: Analysis, plan: Plan) -> Table:
    """Returns the merged archives by condition and group: mean ± standard deviation, and intervals."""
    rows = []
    for name in (one.name for one in analysis.measures[0].values) if analysis.measures else ():
        cells = [_with_interval(result.of(name)) for result in analysis.measures]
        rows.append((name, str(len(analysis.measures[0].of(name).by_seed)), *cells))
    return Table(
        f"{analysis.task}: merged archives after {plan.budget.amount:g} candidates of all nodes together, "
        f"all scored in one company; mean ± standard deviation over seeds, {plan.confidence:.0%} bootstrap "
        "interval of the mean.",
        ("condition", "seeds ", *(f"{result.measure.name} " for result in analysis.measures)),
        tuple(rows),
    )


def seats_table(analysis: Analysis) -> Table:
    """Returns generality and niche novelty of each proposer's nodes by condition, as DEI's first table."""
    names = [measure.name for measure in MEASURES if measure.by_node is not None]
    rows = [
        (seat_name(one.seat), one.condition, *(_mean_std(one.by_seed[name]) for name in names))
        for one in analysis.seated
    ]
    return Table(
        f"{analysis.task}: nodes by who proposes there; mean over such nodes of an ensemble, then mean ± "
        "standard deviation over seeds. A node alone has no niche novelty.",
        ("proposer", "condition", *(f"{name} " for name in names)),
        tuple(rows),
    )


def spending_table(analysis: Analysis) -> Table:
    """Returns what the conditions spent: means over their ensembles."""
    rows = []
    for name, runs in analysis.runs.items():
        if runs:
            rows.append((name, *(f"{value:.0f}" for value in _spent(runs))))
    return Table(
        f"{analysis.task}: spent by an ensemble, means over seeds. A call is a reply asked for (a proposal "
        "of who asks no model); further calls are those beyond one a candidate: retries, judges, "
        "summaries. Evaluations include those that score occupants again; the merger's are apart.",
        (
            "condition",
            "candidates ",
            "calls ",
            "further calls ",
            "evaluations ",
            "again ",
            "of the merger ",
            "champions received ",
            "opened a cell ",
        ),
        tuple(rows),
    )


def _spent(runs: Sequence[MeasuredEnsemble]) -> list[float]:
    nodes = [run.summary.nodes for run in runs]
    calls = [sum(node.calls for node in run.summary.nodes) for run in runs]
    return [
        fmean(run.proposals for run in runs),
        fmean(calls),
        fmean(calls) - fmean(run.proposals for run in runs),
        fmean(sum(node.summary.counts.evaluations for node in one) for one in nodes),
        fmean(sum(node.summary.counts.rescored for node in one) for one in nodes),
        fmean(run.merged.evaluations for run in runs),
        fmean(run.summary.champions.received for run in runs),
        fmean(run.summary.champions.opened for run in runs),
    ]


def published_tables(plan: Plan) -> tuple[Table, ...]:
    """Returns the figures that others have published, in two tables like ours."""
    alone = [row for row in plan.published if row.proposer]
    merged = [row for row in plan.published if not row.proposer]
    return tuple(
        _published(rows, what, plan) for rows, what in ((merged, "merged archives"), (alone, "nodes")) if rows
    )


def seat_name(seat: Seat) -> str:
    """Returns who sits at a node, in words."""
    return " + ".join(seat)


def _published(rows: Sequence[PublishedConfig], what: str, plan: Plan) -> Table:
    names = list(dict.fromkeys(name for row in rows for name in row.figures))
    head = ("proposer",) if rows[0].proposer else ()
    return Table(
        f"Published, {what}: {plan.published_in}",
        (*head, "condition", *(f"{name} " for name in names)),
        tuple(
            (
                *((row.proposer,) if head else ()),
                row.condition,
                *(_figure(row.figures.get(name)) for name in names),
            )
            for row in rows
        ),
    )


def _figure(value: float | tuple[float, float] | None) -> str:
    if isinstance(value, tuple):
        return f"{value[0]:g} ± {value[1]:g}"
    return "–" if value is None else f"{value:g}"


def _pairs(analysis: Analysis, result: MeasureResult, plan: Plan) -> Table | None:
    return pairs_table(
        result.pairs,
        Objective(result.measure.name),
        f"{analysis.task}, {result.measure.name} ({result.measure.about}): {_tested(plan)}",
        alpha=plan.alpha,
    )


def _members(analysis: Analysis, result: MeasureResult, plan: Plan) -> Table | None:
    return pairs_table(
        result.members,
        Objective(result.measure.name),
        f"{analysis.task}, {result.measure.name}: the baseline with each condition of a group by itself; "
        f"{_tested(plan)}",
        alpha=plan.alpha,
    )


def _tested(plan: Plan) -> str:
    if plan.pairing == "seeds":
        return (
            f"median of the differences seed by seed with its {plan.confidence:.0%} interval, chance A, p of "
            "a two-sided Wilcoxon test before and after Holm's correction."
        )
    return (
        f"difference of medians with its {plan.confidence:.0%} interval, chance A, p of a two-sided "
        "Mann-Whitney test before and after Holm's correction."
    )


def _predicted(predicted: Predicted) -> Table:
    rows = tuple(
        (one.condition, f"{one.expected:.1f}", f"{one.visited:.1f}", f"{one.filled:.1f}")
        for one in predicted.predictions
    )
    return Table(
        "Cells predicted from where the proposals of each proposer alone fell, as if every proposal were "
        "drawn independently; cells that any candidate reached, and cells of the merged archive (scored in "
        "another company), means over seeds.",
        ("condition", "predicted ", "reached ", "merged "),
        rows,
    )


def _subsets(predicted: Predicted) -> Table:
    rows = []
    for size in range(2, len(predicted.proposers) + 1):
        own = [one for one in predicted.subsets if len(one.proposers) == size]
        shown = own if len(own) <= _MOST_SUBSETS + 1 else [*own[:_MOST_SUBSETS], own[-1]]
        rows += [
            (str(size), seat_name(one.proposers), f"{one.expected:.2f}", f"{one.vendi:.2f}") for one in shown
        ]
    return Table(
        f"Which proposers go together: cells that equal shares of {predicted.calls:.0f} independent "
        "proposals would reach, the most first and the least last, and their effective number (Vendi "
        "Score).",
        ("size ", "proposers", "predicted cells ", "effective "),
        tuple(rows),
    )


def _with_interval(values: Values) -> str:
    told = _mean_std(values.by_seed)
    return told if values.mean is None else f"{told} [{values.mean.low:.4g}, {values.mean.high:.4g}]"


def _mean_std(by_seed: Mapping[int, float]) -> str:
    found = list(by_seed.values())
    if not found:
        return "–"
    return number(fmean(found), digits=4) + (f" ± {stdev(found):.2g}" if len(found) > 1 else "")
