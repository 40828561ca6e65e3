"""What an experiment did not show, and what must be known before its numbers are believed."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import combinations

import numpy as np

from speciate.experiments.analysis import TaskResult, planned_pairs
from speciate.experiments.plan import Plan
from speciate.experiments.results import Measured, Missing, Results
from speciate.reports import number
from speciate.statistics import Pair, seeds_needed

_MUCH_SHARED, _ENOUGH_COMMON = 0.5, 4

FEW_SEEDS = 10
"""With fewer, every bootstrap interval is too narrow."""


def cautions(results: Results, tasks: Sequence[TaskResult]) -> tuple[str, ...]:
    """Returns what must be known, the weightiest first, one or two plain sentences each."""
    found = [
        stand_in_words(sorted({name for run in results.measured for name in run.stand_ins})),
        missing_words(results.missing, len(results.measured)),
        _capped(results),
        *(_power(one, results) for one in tasks),
        *(sentence for one in tasks for sentence in not_shown(one, results.plan.alpha)),
        *(_interaction(one) for one in tasks),
        _shared_chance(results, tasks),
        few_seeds(results.plan),
        one_task(results.plan, results.measures),
        _scoring(results.measured),
        _versions(results.measured),
        _areas(results),
    ]
    return tuple(sentence for sentence in found if sentence)


def not_shown(task: TaskResult, alpha: float) -> list[str]:
    """Returns the sentences on pairs whose difference was not shown, in final scores and along the way."""
    sentences = []
    for pairs, what in ((task.finals, "final score"), (task.areas, "area under the curve")):
        unclear = [pair for pair in pairs if pair.winner(alpha) is None]
        if unclear:
            named = "; ".join(map(pair_words, unclear))
            sentences.append(
                f"Not shown on {task.task}, {what}: which is better of {named}. Runs would often look like "
                "this if there were no difference, but that is no evidence that there is none."
            )
    return sentences


def pair_words(pair: Pair) -> str:
    """Returns a pair without a winner, with what its test said."""
    return (
        f"{pair.first} and {pair.second} (p {number(pair.adjusted, digits=2)} after Holm, "
        f"A {pair.superiority:.2f})"
    )


def stand_in_words(names: Sequence[str]) -> str:
    """Says who only stands in for a model; nothing if nobody does."""
    if not names:
        return ""
    return (
        f"Made-up stand-ins for models took part ({', '.join(names)}). They test plumbing and policy; "
        "nothing here is shown about real models."
    )


def missing_words(missing: Sequence[Missing], measured: int) -> str:
    """Says which runs are missing beside so many that are not; nothing if none is."""
    if not missing:
        return ""
    by_condition: dict[str, int] = {}
    for one in missing:
        name = f"{one.job.task}/{one.job.condition}"
        by_condition[name] = by_condition.get(name, 0) + 1
    named = ", ".join(f"{name} {count}" for name, count in by_condition.items())
    return (
        f"{len(missing)} of {len(missing) + measured} runs are missing ({named}): what they would have shown "
        "is not in any number, and if runs of one condition fail more often, its numbers flatter it."
    )


def _capped(results: Results) -> str:
    other = [run for run in results.measured if run.stop_reason != results.plan.budget.unit]
    if not other:
        return ""
    reasons = ", ".join(sorted({run.stop_reason for run in other}))
    return (
        f"{len(other)} runs ended by something else than the budget ({reasons}), so they had less of it than "
        "the others."
    )


def _power(task: TaskResult, results: Results) -> str:
    """Says when no difference could have become significant, however large."""
    alpha, pairs = results.plan.alpha, task.finals
    hopeless = [pair for pair in pairs if pair.least > alpha]
    if not pairs:
        reason = "no two conditions have a run that counts" if len(planned_pairs(results.plan)) else ""
        return f"Nothing is compared on {task.task}: {reason}." if reason else ""
    if not hopeless:
        return ""
    seeds = seeds_needed(len(pairs), alpha=alpha, paired=results.plan.pairing == "seeds")
    which = "none" if len(hopeless) == len(pairs) else f"{len(hopeless)} never"
    return (
        f"Too few seeds on {task.task}: of {len(pairs)} comparisons {which} could have come out below "
        f"{alpha:g}, however large the difference. It takes {seeds} seeds a condition or more."
    )


def _interaction(task: TaskResult) -> str:
    found = task.interaction
    if found is None or found.effect.excludes_zero:
        return ""
    first, second = found.factors
    return (
        f"Not shown on {task.task}: that {first} and {second} do together anything else than apart (the "
        "interval of the interaction holds 0)."
    )


def _shared_chance(results: Results, tasks: Sequence[TaskResult]) -> str:
    """Says when runs of one seed went alike whatever their condition, since they draw the same numbers."""
    if results.plan.pairing == "seeds":
        return ""
    for task in tasks:
        correlation = shared_chance([run for run in results.measured if run.job.task == task.task])
        if correlation is not None and correlation > _MUCH_SHARED:
            return (
                f"Runs of one seed draw the same random numbers and went much alike on {task.task} "
                f"(correlation {correlation:.2f} over the seeds). The tests take them for independent, so "
                'they find less than there may be; pairing = "seeds" would use it in the next experiment.'
            )
    return ""


def shared_chance(measured: Sequence[Measured]) -> float | None:
    """Returns the mean correlation of the final scores of two conditions over the seeds that both have.

    None without two conditions that have at least four seeds in common and vary over them.
    """
    finals: dict[str, dict[int, float]] = {}
    for run in measured:
        if run.final is not None:
            finals.setdefault(run.job.condition, {})[run.job.seed] = run.final
    found = []
    for one, other in combinations(finals.values(), 2):
        common = sorted(one.keys() & other.keys())
        values = np.array([[one[seed] for seed in common], [other[seed] for seed in common]])
        if len(common) >= _ENOUGH_COMMON and min(len(np.unique(row)) for row in values) > 1:
            with np.errstate(all="ignore"):  # huge and tiny scores have no correlation that can be computed
                correlation = float(np.corrcoef(values)[0, 1])
            found += [correlation] if np.isfinite(correlation) else []
    return float(np.mean(found)) if found else None


def few_seeds(plan: Plan) -> str:
    """Says when intervals are too narrow for want of seeds."""
    seeds = len(plan.seed_list)
    if seeds >= FEW_SEEDS:
        return ""
    return f"With {seeds} seeds the intervals are too narrow: they hold the truth less often than they say."


def one_task(plan: Plan, tasks: Collection[str]) -> str:
    """Says when there is one task only."""
    if len(tasks) > 1:
        return ""
    (task,) = tasks
    budget = f"{number(plan.budget.amount)} {plan.budget.unit}"
    return f"One task ({task}) at one budget ({budget}): nothing is shown about others."


def _versions(measured: Sequence[Measured]) -> str:
    found = sorted({run.timing.version for run in measured})
    return f"Different versions of speciate began the runs: {', '.join(found)}." if len(found) > 1 else ""


def _scoring(measured: Sequence[Measured]) -> str:
    """Says when runs of one condition were scored by different code; conditions may differ in their task's
    parameters."""
    found: dict[tuple[str, str], set[str]] = {}
    for run in measured:
        found.setdefault((run.job.task, run.job.condition), set()).add(run.timing.evaluator)
    mixed = sorted({task for (task, _), evaluators in found.items() if len(evaluators) > 1})
    return (
        f"The scoring of {', '.join(mixed)} changed between runs: their scores are not of one kind."
        if mixed
        else ""
    )


def _areas(results: Results) -> str:
    without = sum(run.area is None for run in results.measured)
    if not without:
        return ""
    return (
        f"{without} runs have no area under the curve, because nothing was valid at their beginning; a floor "
        "in the plan says what counts until then."
    )
