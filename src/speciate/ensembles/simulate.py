"""Ensembles of thousands of nodes, in one process and in virtual time.

It is no second algorithm. The nodes are those of `evolve_ensemble`: the same engine, rounds, exchange,
topologies and sharing, on the same virtual clock. What is simulated is around them: how long proposals take,
what the network does to announcements, and who comes and goes. Where nothing of that is asked for, the
histories are those of the real ensemble, event for event.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from speciate.engine import NodeConfig, RunConfig
from speciate.engine.settings import over_task_defaults
from speciate.ensembles.ensemble import Ensemble, Watch, evolve_ensemble
from speciate.ensembles.members import members_of
from speciate.ensembles.merge import Memo, common_pool, merge
from speciate.ensembles.simulation import (
    Account,
    Churn,
    Lives,
    MemoEvaluator,
    Network,
    Snapshot,
    Spread,
    Weather,
    account_of,
    chances,
    publications,
)
from speciate.errors import ConfigError, SpeciateError
from speciate.evaluators import Evaluator, build_evaluator
from speciate.records import Context, Merged, NodeElites, Seconds
from speciate.statistics import quality
from speciate.tasks import Task

MOST_NODES = 4096
CALM = Weather()
STEADY = Churn()


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """What happens around the nodes.

    Attributes:
        latency: declared seconds of a proposal: one draw a node, as its proposer's pace. None leaves what the
            settings say.
        weather: what the network does.
        churn: who comes and goes.
        seed: names all chances of the scenario; those of the nodes are named by the settings' own.
    """

    latency: Spread | None = None
    weather: Weather = CALM
    churn: Churn = STEADY
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Point:
    """The ensemble after a round, each node at its own time; of those that ended it while they lived.

    Attributes:
        round: how many rounds had ended.
        nodes: how many nodes count.
        at: median time at which they ended it, in seconds.
        bytes: all that had come in at them so far: announcements and programs.
        age: mean seconds between publishing and taking, of the champions taken in this round; None of none.
        lag: mean of own round less the sender's, of the same.
        coverage: share of cells filled in the merged archive, or None where there are no cells, or where
            nobody looked.
        qd_score: its QD-Score, or None likewise.
        mean_coverage: mean of the single nodes', each scored in the same company.
        mean_qd_score: likewise.
    """

    round: int
    nodes: int
    at: Seconds
    bytes: int
    age: Seconds | None
    lag: float | None
    coverage: float | None
    qd_score: float | None
    mean_coverage: float | None
    mean_qd_score: float | None


@dataclass(frozen=True, slots=True)
class Looked:
    """Archives, all scored in one company.

    Attributes:
        curve: a point a round; archives are looked at after every so many rounds.
        merged: the merged archive of those who lived to the end.
        end: the last point: what is merged in the end, with what was taken after the last round.
    """

    curve: tuple[Point, ...]
    merged: Merged
    end: Point


@dataclass(frozen=True)
class Simulation:
    """What a simulation came to.

    Attributes:
        ensemble: the nodes, with their histories.
        accounts: what each node has done, in their order, of those that did not fail.
        looked: their archives, merged round by round.
        candidates: how many were chosen in all, received ones and initial programs included.
        evaluations: those that were really made, merging included.
        reused: evaluations that were saved, because an equal program was known in an equal company.
    """

    ensemble: Ensemble
    accounts: tuple[Account, ...]
    looked: Looked
    candidates: int
    evaluations: int
    reused: int


def simulate(
    task: Task,
    config: RunConfig,
    scenario: Scenario | None = None,
    *,
    every: int = 1,
    pool: Context | None = None,
    memo: Memo | None = None,
    evaluators: Callable[[], Evaluator] | None = None,
    watch: Watch = lambda _: (),
) -> Simulation:
    """Simulates an ensemble; equal arguments give an equal simulation.

    While it lives, garbage is collected rarely in this process: millions of events that stay would be walked
    through again and again.

    Args:
        task: what is evolved. Equal programs have to score equally in equal company.
        config: settings of all, with ``ensemble.nodes``, as for `evolve_ensemble`.
        scenario: what happens around them; None is nothing.
        every: after how many rounds the archives are looked at and merged.
        pool: the company in which archives are merged; None takes `common_pool` of the end.
        memo: outcomes that are known already, and where all go.
        evaluators: makes what scores programs, once for the search and once for merging; None makes what the
            task asks for.
        watch: as for `evolve_ensemble`.

    Raises:
        ConfigError: there are too many nodes, they live on the wall clock, or the task is stochastic.
        SpeciateError: a node broke, or none lived to the end.
    """
    scenario = scenario or Scenario()
    config = over_task_defaults(_at_their_pace(config, scenario), task)
    _check(task, config)
    memo = {} if memo is None else memo
    known = len(memo)
    make = evaluators or (lambda: build_evaluator(task, config.evaluation))
    searching, merging = (MemoEvaluator(make(), memo) for _ in range(2))
    lives = _lives(config, scenario)
    network = None if scenario.weather == CALM else Network(scenario.weather, scenario.seed)
    clocks = None if scenario.churn == STEADY else lives
    with _rare_collections():
        ensemble = evolve_ensemble(
            task, config, watch=watch, evaluator=searching, routes=network, clocks=clocks
        )
        accounts = _accounts(ensemble, lives, every)
        ends = elites_at_the_end(accounts)
        company = pool or common_pool(task, ends)[0]
        looked = _looked(task, accounts, config.ensemble.rounds, _Looks(task, merging, company, memo))
    return Simulation(
        ensemble=ensemble,
        accounts=accounts,
        looked=looked,
        candidates=sum(account.candidates for account in accounts),
        evaluations=len(memo) - known,
        reused=searching.reused,
    )


def look_again(
    task: Task,
    simulation: Simulation,
    pool: Context,
    *,
    memo: Memo | None = None,
    evaluators: Callable[[], Evaluator] | None = None,
) -> Looked:
    """Merges the archives of a simulation once more, in another company.

    Two simulations of a task with company are compared in one company alone.

    Args:
        task: what was evolved.
        simulation: whose archives.
        pool: the company.
        memo: as for `simulate`.
        evaluators: see there.
    """
    config, memo = simulation.ensemble.config, {} if memo is None else memo
    make = evaluators or (lambda: build_evaluator(task, config.evaluation))
    looks = _Looks(task, MemoEvaluator(make(), memo), pool, memo)
    return _looked(task, simulation.accounts, config.ensemble.rounds, looks)


def elites_at_the_end(accounts: Sequence[Account]) -> list[NodeElites]:
    """Returns what those nodes bring that lived to the end.

    Raises:
        SpeciateError: none did.
    """
    ends = [account.end for account in accounts if account.end is not None]
    if not ends:
        raise SpeciateError("no node lived to the end: let fewer of them die")
    return ends


def _looked(task: Task, accounts: Sequence[Account], rounds: int, looks: _Looks) -> Looked:
    curve, merged = asyncio.run(looks.all(accounts, rounds, elites_at_the_end(accounts)))
    return Looked(curve, merged, _point(rounds, accounts, merged, task))


def _check(task: Task, config: RunConfig) -> None:
    if len(config.ensemble.nodes) > MOST_NODES:
        raise ConfigError(f"a simulation has {MOST_NODES} nodes at most, not {len(config.ensemble.nodes)}")
    if config.ensemble.clock != "virtual":
        raise ConfigError("a simulation lives on the virtual clock: set ensemble.clock = virtual")
    if task.spec.evaluation.stochastic:
        raise ConfigError(f"{task.name} is stochastic: what one node has scored says nothing to another")


def _at_their_pace(config: RunConfig, scenario: Scenario) -> RunConfig:
    """Returns the settings with each node's drawn latency."""
    if scenario.latency is None:
        return config
    nodes = [
        _paced(node, scenario.latency.at(chances(f"{scenario.seed}|latency|{number}")[0]))
        for number, node in enumerate(config.ensemble.nodes)
    ]
    ensemble = config.ensemble.model_copy(update={"nodes": tuple(nodes)})
    return config.model_copy(update={"ensemble": ensemble})


def _paced(node: NodeConfig, seconds: Seconds) -> NodeConfig:
    if seconds <= 0:
        raise ConfigError("a proposal takes longer than nothing: give a latency above 0")
    return node.model_copy(update={"latency": seconds})


def _lives(config: RunConfig, scenario: Scenario) -> Lives:
    rules, names = config.ensemble, [member.name for member in members_of(config)]
    latencies = [node.latency for node in rules.nodes]
    span = rules.rounds * rules.iterations * rules.children * float(np.median(latencies))
    return Lives(scenario.churn, names, seed=scenario.seed, span=span)


def _accounts(ensemble: Ensemble, lives: Lives, every: int) -> tuple[Account, ...]:
    """Reads the histories.

    Raises:
        SpeciateError: a node broke.
    """
    stores = {}
    for node in ensemble.nodes:
        if node.evolution is None:
            raise node.error or SpeciateError(f"node {node.name} came to nothing")
        stores[node.name] = node.evolution.store
    sent: dict[tuple[str, int], Seconds] = {}
    for name, store in stores.items():
        sent |= publications(name, store, lives)
    return tuple(account_of(name, store, lives, sent, every=every) for name, store in stores.items())


class _Looks:
    """Merges archives in one company."""

    def __init__(self, task: Task, evaluator: Evaluator, company: Context, memo: Memo) -> None:
        self._task = task
        self._evaluator = evaluator
        self._company = company
        self._memo = memo

    async def all(
        self, accounts: Sequence[Account], rounds: int, ends: Sequence[NodeElites]
    ) -> tuple[tuple[Point, ...], Merged]:
        """Returns a point for each round that a node has ended, and the merged archive of the end."""
        await self._evaluator.start()
        try:
            curve = [
                _point(round, accounts, await self._seen(accounts, round), self._task)
                for round in range(1, rounds + 1)
                if any(len(account.rounds) >= round for account in accounts)
            ]
            return tuple(curve), await self._merged(ends)
        finally:
            await self._evaluator.close()

    async def _seen(self, accounts: Sequence[Account], round: int) -> Merged | None:
        found = [account.rounds[round - 1].elites for account in accounts if len(account.rounds) >= round]
        elites = [each for each in found if each is not None]
        return await self._merged(elites) if elites else None

    async def _merged(self, elites: Sequence[NodeElites]) -> Merged:
        return await merge(self._task, elites, self._evaluator, pool=self._company, memo=self._memo)


def _point(round: int, accounts: Sequence[Account], merged: Merged | None, task: Task) -> Point:
    there = [account.rounds[:round] for account in accounts if len(account.rounds) >= round]
    here: list[Snapshot] = [rounds[-1] for rounds in there]
    ages = [age for snapshot in here for age in snapshot.ages]
    lags = [lag for snapshot in here for lag in snapshot.lags]
    whole = singles = None
    if merged is not None and merged.cells is not None:
        offset = task.spec.qd_offset
        whole = quality({elite.cell: elite.score for elite in merged.elites}, merged.cells, offset)
        singles = [quality(scores, merged.cells, offset) for scores in merged.nodes.values()]
    return Point(
        round=round,
        nodes=len(here),
        at=float(np.median([snapshot.at for snapshot in here])) if here else 0.0,
        bytes=sum(each.heard + each.fetched for rounds in there for each in rounds),
        age=_mean(ages),
        lag=_mean(lags),
        coverage=None if whole is None else whole.coverage,
        qd_score=None if whole is None else whole.qd_score,
        mean_coverage=None if singles is None else _mean([one.coverage for one in singles]),
        mean_qd_score=None if singles is None else _mean([one.qd_score for one in singles]),
    )


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if known else None


@contextmanager
def _rare_collections() -> Iterator[None]:
    before = gc.get_threshold()
    gc.set_threshold(200_000, 50, 100)
    try:
        yield
    finally:
        gc.set_threshold(*before)
