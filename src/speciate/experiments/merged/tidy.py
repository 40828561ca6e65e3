"""The tidy tables of an experiment on ensembles: one row an ensemble, a node, a comparison, a prediction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from speciate.experiments.merged.analysis import Analysis
from speciate.experiments.merged.measures import MEASURES, MeasuredEnsemble, MergedResults
from speciate.experiments.merged.tables import seat_name
from speciate.experiments.tidy import PAIR_COLUMNS, Tidy, Value, pair_values
from speciate.records import Objective

_ENSEMBLES = (
    "task", "condition", "seed", "status", "nodes", *(measure.name for measure in MEASURES), "filled",
    "cells", "best", "pool", "proposed", "calls", "evaluations", "rescored", "merger_evaluations",
    "published", "received", "opened", "rejected", "bytes",
)  # fmt: skip
_NODES = (
    "task", "condition", "seed", "node", "proposer", "generality", "novelty", "opening", "coverage",
    "qd_score", "calls", "proposed", "evaluations", "rescored", "invalid",
)  # fmt: skip
_PAIRS = ("task", "measure", "family", *PAIR_COLUMNS)
_PREDICTIONS = ("task", "condition", "proposers", "predicted", "reached", "merged")
_SUBSETS = ("task", "size", "proposers", "predicted", "vendi")


def tidy_tables(results: MergedResults, analyses: Sequence[Analysis]) -> tuple[Tidy, ...]:
    """Returns the tables; none depends on how fast the machine was."""
    return (
        Tidy.of("ensembles", _ensembles(results), _ENSEMBLES),
        Tidy.of("nodes", [row for run in results.measured for row in _nodes(run)], _NODES),
        Tidy.of("comparisons", [row for one in analyses for row in _pairs(one, results)], _PAIRS),
        Tidy.of("predictions", [row for one in analyses for row in _predictions(one)], _PREDICTIONS),
        Tidy.of("subsets", [row for one in analyses for row in _subsets(one)], _SUBSETS),
    )


def _ensembles(results: MergedResults) -> list[Mapping[str, Value]]:
    rows: list[Mapping[str, Value]] = [_ensemble(run, results) for run in results.measured]
    rows += [
        {
            **dict.fromkeys(_ENSEMBLES),
            "task": one.job.task,
            "condition": one.job.condition,
            "seed": one.job.seed,
            "status": one.state,
        }
        for one in results.missing
    ]
    return rows


def _ensemble(run: MeasuredEnsemble, results: MergedResults) -> Mapping[str, Value]:
    summary, merged, best = run.summary, run.merged, run.merged.best
    champions, counts = summary.champions, [node.summary.counts for node in summary.nodes]
    return {
        "task": run.job.task,
        "condition": run.job.condition,
        "seed": run.job.seed,
        "status": "done",
        "nodes": len(summary.nodes),
        **{measure.name: measure.of(run) for measure in MEASURES},
        "filled": len(merged.elites),
        "cells": merged.cells,
        "best": None if best is None else results.objectives[run.job.task].outward(best.score),
        "pool": merged.pool,
        "proposed": run.proposals,
        "calls": sum(node.calls for node in summary.nodes),
        "evaluations": sum(one.evaluations for one in counts),
        "rescored": sum(one.rescored for one in counts),
        "merger_evaluations": merged.evaluations,
        "published": champions.published,
        "received": champions.received,
        "opened": champions.opened,
        "rejected": champions.rejected,
        "bytes": sum(link.size for link in summary.links),
    }


def _nodes(run: MeasuredEnsemble) -> list[Mapping[str, Value]]:
    return [
        {
            "task": run.job.task,
            "condition": run.job.condition,
            "seed": run.job.seed,
            "node": node.name,
            "proposer": seat_name(run.seats[node.name]),
            "generality": node.generality,
            "novelty": node.novelty,
            "opening": node.opening,
            "coverage": None if node.quality is None else node.quality.coverage,
            "qd_score": None if node.quality is None else node.quality.qd_score,
            "calls": node.calls,
            "proposed": node.summary.counts.proposed,
            "evaluations": node.summary.counts.evaluations,
            "rescored": node.summary.counts.rescored,
            "invalid": node.invalid,
        }
        for node in run.summary.nodes
    ]


def _pairs(analysis: Analysis, results: MergedResults) -> list[Mapping[str, Value]]:
    rows: list[Mapping[str, Value]] = []
    for result in analysis.measures:
        for family, pairs in (("planned", result.pairs), ("members", result.members)):
            head = {"task": analysis.task, "measure": result.measure.name, "family": family}
            objective = Objective(result.measure.name)
            rows += [{**head, **pair_values(pair, objective, results.plan.alpha)} for pair in pairs]
    return rows


def _predictions(analysis: Analysis) -> list[Mapping[str, Value]]:
    return [
        {
            "task": analysis.task,
            "condition": one.condition,
            "proposers": seat_name(one.proposers),
            "predicted": one.expected,
            "reached": one.visited,
            "merged": one.filled,
        }
        for one in (() if analysis.predicted is None else analysis.predicted.predictions)
    ]


def _subsets(analysis: Analysis) -> list[Mapping[str, Value]]:
    return [
        {
            "task": analysis.task,
            "size": len(one.proposers),
            "proposers": seat_name(one.proposers),
            "predicted": one.expected,
            "vendi": one.vendi,
        }
        for one in (() if analysis.predicted is None else analysis.predicted.subsets)
    ]
