"""All nodes of an ensemble in one process."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

from speciate.engine import (
    Evolution,
    Observer,
    Run,
    RunConfig,
    begin_run,
    evolution_of,
    interruptible,
    live,
    reopen_run,
    until_ended,
)
from speciate.engine.settings import over_task_defaults
from speciate.ensembles.exchange import Exchange
from speciate.ensembles.folders import begin_folder, node_folder, read_ensemble
from speciate.ensembles.members import Member, members_of
from speciate.ensembles.presence import check_nodes
from speciate.ensembles.rounds import RedQueenRounds
from speciate.ensembles.shared import SharedEvaluator
from speciate.ensembles.transport import Clocks, Hub, Routes
from speciate.errors import RunFolderError, SpeciateError
from speciate.evaluators import Evaluator, build_evaluator
from speciate.store import holds_run
from speciate.tasks import Task, load_task

Watch = Callable[[str], Sequence[Observer]]
"""Returns who is told of a node's events, by its name."""


@dataclass(frozen=True)
class NodeEnd:
    """How one node's session ended.

    Attributes:
        name: the node.
        evolution: what it came to, or None if it failed.
        error: why it failed, or None.
    """

    name: str
    evolution: Evolution | None
    error: SpeciateError | None = None


@dataclass(frozen=True)
class Ensemble:
    """What one session of an ensemble came to.

    Attributes:
        config: the settings of all.
        nodes: how each ended, in their order. One that failed did not keep the others from going on.
        folder: where it is kept, or None if it lived in memory.
    """

    config: RunConfig
    nodes: tuple[NodeEnd, ...]
    folder: Path | None


def evolve_ensemble(
    task: Task | str | Path,
    config: RunConfig,
    *,
    folder: Path | None = None,
    watch: Watch = lambda _: (),
    evaluator: Evaluator | None = None,
    routes: Routes | None = None,
    clocks: Clocks | None = None,
    signals: bool = False,
) -> Ensemble:
    """Evolves a task on several nodes that exchange champions (DEI, arXiv 2605.27130), all in this process.

    Args:
        task: as for `speciate.engine.evolve`.
        config: settings of all; `ensemble.nodes` says what each node has of its own.
        folder: where the ensemble is kept; each node is a run in a folder of its own below it. Must not hold
            an ensemble yet. None keeps all in memory.
        watch: names the observers of each node.
        evaluator: scores programs instead of the task's own evaluator; shared by all nodes.
        routes: how announcements travel on the virtual clock; None lets all arrive at once.
        clocks: how the nodes' own clocks go together there; None lets all begin at once and live to the end.
        signals: whether Ctrl-C ends it in order (once) or at once (twice).

    Raises:
        UsageError: something about the task, the settings or the folder has to be mended first.
        KeyboardInterrupt: Ctrl-C came twice.
    """
    source = None if isinstance(task, Task) else str(task)
    loaded = task if isinstance(task, Task) else load_task(task, config.task.parameters)
    config = over_task_defaults(config, loaded)
    members = members_of(config)
    if folder is not None:
        begin_folder(folder, source, config)
    return _sitting(task, config, members, folder, watch, evaluator, routes, clocks, signals=signals)


def resume_ensemble(
    folder: Path,
    *,
    task: Task | None = None,
    overrides: Callable[[RunConfig], RunConfig] = lambda config: config,
    watch: Watch = lambda _: (),
    evaluator: Evaluator | None = None,
    routes: Routes | None = None,
    clocks: Clocks | None = None,
    signals: bool = False,
) -> Ensemble:
    """Goes on with an ensemble where it ended, however it ended.

    A node that holds no run begins; `check_lost` refuses those that have begun before.

    Args:
        folder: the ensemble's folder.
        task: the task, for ensembles of tasks built in Python.
        overrides: changes each node's recorded settings, for example raises a budget.
        watch: as for `evolve_ensemble`; so are the others.
        evaluator: see there.
        routes: see there.
        clocks: see there.
        signals: see there.

    Raises:
        UsageError: the folder holds no ensemble, or others than its own nodes; or the task has changed
            since.
        KeyboardInterrupt: Ctrl-C came twice.
    """
    source, config = read_ensemble(folder)
    check_nodes(folder, source, config)
    if task is None and source is None:
        raise RunFolderError("this ensemble's task was built in Python: pass it as task=…")
    members = members_of(config)
    given = task if task is not None else str(source)
    return _sitting(
        given, config, members, folder, watch, evaluator, routes, clocks, overrides, signals=signals
    )


@dataclass(frozen=True)
class _Node:
    member: Member
    run: Run
    exchange: Exchange
    folder: Path | None


def _sitting(
    task: Task | str | Path,
    config: RunConfig,
    members: Sequence[Member],
    folder: Path | None,
    watch: Watch,
    evaluator: Evaluator | None,
    routes: Routes | None,
    clocks: Clocks | None,
    overrides: Callable[[RunConfig], RunConfig] = lambda config: config,
    *,
    signals: bool,
) -> Ensemble:
    """Builds all nodes, lets them live and closes their stores."""
    names = [member.name for member in members]
    hub = Hub(names, routes=routes, clocks=clocks, wall=config.ensemble.clock == "wall")
    shared = _Evaluators(evaluator, members)
    nodes: list[_Node] = []
    try:
        for member in members:
            own = None if folder is None else node_folder(folder, member.name)
            run = _open(task, member, own, watch(member.name), shared, overrides)
            exchange = Exchange(hub.port(member.name), node=member.name, incarnation=member.incarnation)
            nodes.append(_Node(member, run, exchange, own))
        ends = until_ended(_live_all(nodes, hub, signals=signals))
    finally:
        for node in nodes:
            if node.folder is not None:
                node.run.store.close()
    return Ensemble(config, ends, folder)


class _Evaluators:
    """One evaluator for all nodes whose tasks and ways to evaluate are the same."""

    def __init__(self, given: Evaluator | None, members: Sequence[Member]) -> None:
        self._given = given
        self._kinds = [self._kind(member.config) for member in members]
        self._built: dict[str, SharedEvaluator] = {}

    def of(self, task: Task, config: RunConfig) -> Evaluator:
        kind = self._kind(config)
        if kind not in self._built:
            inner = self._given or build_evaluator(task, config.evaluation)
            users = len(self._kinds) if self._given else self._kinds.count(kind)
            self._built[kind] = SharedEvaluator(inner, users)
        return self._built[kind]

    def _kind(self, config: RunConfig) -> str:
        if self._given:
            return ""
        return json.dumps([config.task.model_dump(mode="json"), config.evaluation.model_dump(mode="json")])


def _open(
    task: Task | str | Path,
    member: Member,
    folder: Path | None,
    observers: Sequence[Observer],
    evaluators: _Evaluators,
    overrides: Callable[[RunConfig], RunConfig],
) -> Run:
    loaded = task if isinstance(task, Task) else load_task(task, member.config.task.parameters)
    evaluator = evaluators.of(loaded, member.config)
    if folder is not None and holds_run(folder):
        given = task if isinstance(task, Task) else None
        return reopen_run(folder, task=given, overrides=overrides, observers=observers, evaluator=evaluator)
    return begin_run(task, overrides(member.config), folder=folder, observers=observers, evaluator=evaluator)


async def _live_all(nodes: Sequence[_Node], hub: Hub, *, signals: bool) -> tuple[NodeEnd, ...]:
    runs = [node.run for node in nodes]
    async with interruptible(runs, hub.halt) if signals else nullcontext(), asyncio.TaskGroup() as tasks:
        living = [tasks.create_task(_live(node), name=f"node {node.member.name}") for node in nodes]
    return tuple(task.result() for task in living)


async def _live(node: _Node) -> NodeEnd:
    """Lives one node. What breaks it breaks it alone."""
    name = node.member.name
    try:
        reason = await live(node.run, RedQueenRounds(node.exchange))
    except SpeciateError as error:
        return NodeEnd(name, None, error)
    finally:
        await node.exchange.close()
    return NodeEnd(name, evolution_of(node.run, node.folder, reason))
