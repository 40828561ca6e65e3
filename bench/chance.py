"""Does evolution beat chance? Ways of drawing parents against independent tries, on circle packing.

    python -m bench chance [--quick]

The whole engine with its genetic operators and its defaults but for the policy; the history is kept in
memory. Candidates are run in the same process under an alarm, not in the sandbox: operators of ours made
them from our own program, and a sandboxed evaluation would take most of the time.
"""

from __future__ import annotations

import resource
import signal
import statistics
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context

from bench.genetic import late, scored
from bench.genetic_tasks import PROBLEMS
from bench.report import Report, Row, spread
from typing_extensions import override

from speciate.engine import BudgetConfig, Observer, RunConfig, evolve
from speciate.evaluators import Evaluator
from speciate.records import (
    Context,
    Evaluated,
    Event,
    Failure,
    FailureKind,
    Outcome,
    Placed,
    Program,
    Result,
    Score,
)
from speciate.selection import PolicyName, SelectionConfig

POLICIES: tuple[PolicyName, ...] = ("weighted", "hill_climb", "uniform", "best_of_n")
MEMORY = 4 << 30
"""Bytes of address space for a search and its candidates."""


@dataclass(frozen=True, slots=True)
class Search:
    """One search: how it draws parents, how long it goes on, its seed."""

    policy: PolicyName
    candidates: int
    seed: int


class InProcess(Evaluator):
    """Runs circle packing candidates in this process, each under an alarm."""

    slots = 1

    @override
    async def evaluate(self, program: Program, context: Context) -> Outcome:
        score = scored(PROBLEMS["circle_packing"], program)
        if score is None:
            return Outcome(failure=Failure(FailureKind.INVALID, "it failed"))
        return Outcome(result=Result((score,)))


class Best(Observer):
    """Notes the best score so far after each candidate."""

    def __init__(self) -> None:
        self.curve: list[Score] = []
        self._best = float("-inf")

    @override
    def on_event(self, event: Event) -> None:
        if isinstance(event, Evaluated) and event.outcome.fitness is not None:
            self._best = max(self._best, event.outcome.fitness[0])
        elif isinstance(event, Placed):
            self.curve.append(self._best)


def curve(search: Search) -> list[Score]:
    """Returns the best sum of radii after each candidate; index 0 is the initial program."""
    signal.signal(signal.SIGALRM, late)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    best = Best()
    config = RunConfig(
        seed=search.seed,
        driver="sequential",
        budget=BudgetConfig(candidates=search.candidates),
        selection=SelectionConfig(policy=search.policy),
        success=False,
    )
    evolve(PROBLEMS["circle_packing"].task, config, observers=[best], evaluator=InProcess())
    return best.curve


def curves(searches: Sequence[Search], jobs: int) -> list[list[Score]]:
    """Returns the curves of many searches, each in an interpreter of its own."""
    pool = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), max_tasks_per_child=1)
    with pool:
        return list(pool.map(curve, searches))


def run(*, quick: bool = False) -> Report:
    """Compares the policies at several lengths, and lets the default go on for long."""
    lengths, seeds, long, few = ((100, 300), 3, 2_000, 1) if quick else ((300, 2_000), 10, 20_000, 3)
    searches = [Search(p, max(lengths), seed) for seed in range(seeds) for p in POLICIES]
    found: dict[PolicyName, list[list[Score]]] = {policy: [] for policy in POLICIES}
    for search, one in zip(searches, curves(searches, 2), strict=True):
        found[search.policy].append(one)
    rows: list[Row] = []
    for length in lengths:
        best = {policy: [one[length] for one in found[policy]] for policy in POLICIES}
        rows += [_row(f"{length:,} candidates: {policy}", best[policy]) for policy in POLICIES]
        rows.append(_test(f"{length:,} candidates: p, weighted over best_of_n", best))
    far = curves([Search("weighted", long, seed) for seed in range(few)], 2)
    rows.append(_row(f"{long:,} candidates: weighted", [one[-1] for one in far]))
    thinned = {policy: [one[::50] for one in found[policy]] for policy in POLICIES}
    data = {"every": 50, "curves": thinned, "long": [one[::200] for one in far], "long_every": 200}
    about = f"sum of radii of 26 circles, medians of {seeds} seeds; p by a one-sided Mann-Whitney test"
    return Report("chance", about, rows, data)


def _row(name: str, best: Sequence[Score]) -> Row:
    return Row(name, statistics.median(best), note=spread(best))


def _test(name: str, best: dict[PolicyName, list[Score]]) -> Row:
    from scipy.stats import mannwhitneyu  # heavy, and needed here alone

    p = float(mannwhitneyu(best["weighted"], best["best_of_n"], alternative="greater").pvalue)
    return Row(name, p, goal="< 0.01", met=p < 0.01)
