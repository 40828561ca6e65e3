"""What the ensembles of an experiment did not show, and what must be known to believe their numbers."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from speciate.experiments.cautions import (
    few_seeds,
    missing_words,
    one_task,
    pair_words,
    stand_in_words,
)
from speciate.experiments.jobs import SLACK
from speciate.experiments.merged.analysis import Analysis, MeasureResult
from speciate.experiments.merged.measures import MergedResults
from speciate.experiments.plan import Plan
from speciate.reports import number
from speciate.statistics import Pair, seeds_needed


def gains(analysis: Analysis, plan: Plan) -> list[str]:
    """Says of each measure whether the baseline beats all that it has to beat, if the plan names any."""
    return [_gain(result, plan) for result in analysis.measures] if plan.gain else []


def _gain(result: MeasureResult, plan: Plan) -> str:
    assert plan.baseline is not None
    told, beaten = [], []
    for name in plan.gain:
        pair = next((one for one in result.pairs if {one.first, one.second} == {plan.baseline, name}), None)
        beaten.append(pair is not None and pair.winner(plan.alpha) == plan.baseline)
        told.append(f"{name}: {_verdict(pair, plan)}")
    head = "shown" if all(beaten) else "not shown"
    return f"A gain of {plan.baseline} in {result.measure.name} is {head} ({'; '.join(told)})."


def _verdict(pair: Pair | None, plan: Plan) -> str:
    if pair is None:
        return "not compared"
    winner = pair.winner(plan.alpha)
    words = {None: "no difference shown", plan.baseline: "beaten"}.get(winner, "it is better")
    return f"{words}, p {number(pair.adjusted, digits=2)} after Holm"


def merged_cautions(results: MergedResults, analyses: Sequence[Analysis]) -> tuple[str, ...]:
    """Returns what must be known, the weightiest first, one or two plain sentences each."""
    plan = results.plan
    found = [
        stand_in_words(sorted({name for run in results.measured for name in run.stand_ins})),
        missing_words(results.missing, len(results.measured)),
        *(_power(one, plan) for one in analyses),
        *(sentence for one in analyses for sentence in _not_shown(one, plan)),
        *(_calls(one) for one in analyses),
        _own_company(results),
        few_seeds(plan),
        "Each measure is a family of tests of its own: over several of them something may come out by chance."
        if any(len(one.measures) > 1 for one in analyses)
        else "",
        one_task(plan, results.objectives),
        "Who proposes is none of the models of the figures from elsewhere, and scores of other rules, "
        "opponents and cells cannot be compared with ours: what can be is which condition is ahead."
        if plan.published
        else "",
        "Predictions take proposals for independent draws from what a proposer does alone; a search builds "
        "on what it found. They are made from the same runs, and a cell that none of them met counts as out "
        "of reach, so they are rather too low."
        if any(one.predicted for one in analyses)
        else "",
    ]
    return tuple(sentence for sentence in found if sentence)


def _power(analysis: Analysis, plan: Plan) -> str:
    """Says when no difference could have become significant, however large."""
    pairs = max((result.pairs for result in analysis.measures), key=len, default=())
    if not pairs or min(pair.least for pair in pairs) <= plan.alpha:
        return ""
    seeds = seeds_needed(len(pairs), alpha=plan.alpha, paired=plan.pairing == "seeds")
    return (
        f"Too few seeds on {analysis.task}: none of {len(pairs)} comparisons could have come out below "
        f"{plan.alpha:g}, however large the difference. It takes {seeds} seeds a condition or more."
    )


def _not_shown(analysis: Analysis, plan: Plan) -> list[str]:
    sentences = []
    for result in analysis.measures:
        unclear = [pair for pair in result.pairs if pair.winner(plan.alpha) is None]
        if unclear:
            named = "; ".join(map(pair_words, unclear))
            sentences.append(
                f"Not shown on {analysis.task}, {result.measure.name}: which is better of {named}. That is "
                "no evidence that they are equal."
            )
    return sentences


def _calls(analysis: Analysis) -> str:
    """Says when conditions asked for unequally many replies."""
    means = {
        name: fmean(sum(node.calls for node in run.summary.nodes) for run in runs)
        for name, runs in analysis.runs.items()
        if runs
    }
    if not means or max(means.values()) <= (1 + SLACK) * min(means.values()):
        return ""
    least, most = min(means, key=means.__getitem__), max(means, key=means.__getitem__)
    return (
        f"Calls are not equal on {analysis.task}: {most} made {means[most]:.0f} an ensemble, {least} "
        f"{means[least]:.0f}. Candidates are; who repeats failed calls made more of them."
    )


def _own_company(results: MergedResults) -> str:
    pools = {run.merged.pool for run in results.measured}
    if len(pools) <= len(results.objectives):
        return ""
    return (
        "Merged archives were scored each among the champions of its own ensemble: their scores and cells "
        "are of different companies. Name one company in [merged] parameters."
    )
