"""The merged archive: every node's elites in one common company, and the best of each cell.

Scores of different nodes, and of different rounds, come from different company and must not be compared. So
each elite is evaluated once more against one pool that is the same for all, on the axes of the task itself:
a node that keeps other axes of its own is measured anew. These evaluations are no part of the search and are
counted apart.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from speciate.archives import GridArchive
from speciate.evaluators import Evaluator
from speciate.records import (
    Cell,
    Context,
    Elite,
    Merged,
    MergedElite,
    NodeElites,
    Outcome,
    Program,
    Score,
    source_of,
)
from speciate.store import RunHistory
from speciate.tasks import Task

Memo = dict[tuple[str, str], Outcome]
"""Outcomes by hashes of program and company. Hand the same one to several mergers of one task: what was
scored once in a company is not scored again."""


def node_elites(name: str, history: RunHistory) -> NodeElites:
    """Returns the elites and the last champion of a node as far as its history has been read."""
    ordinals = sorted({ordinal for members in history.members().values() for ordinal in members})
    champions = [ended.champion for ended in history.rounds if ended.champion is not None]
    elites = tuple(Elite(name, ordinal, history.program(ordinal)) for ordinal in ordinals)
    return NodeElites(name, elites, history.program(champions[-1]) if champions else None)


def common_pool(task: Task, nodes: Sequence[NodeElites]) -> tuple[Context, tuple[str, ...]]:
    """Returns the common company: the task's own opponents, then every node's last champion, in their order.

    Whoever is the champion of two nodes is there once. As many champions as the task has room for
    (`Task.room`) join; the rest stay out. Tasks whose scores depend on no company keep their own context.
    Pools of different ensembles differ: to compare ensembles, score all of them against one (`merge` takes
    any).

    Returns:
        The company, and the nodes whose champion stayed out.
    """
    own = task.context.opponents
    if not task.spec.evaluation.company:
        return task.context, ()
    seen, joined, out = {program.hash for program in own}, list[Program](), list[str]()
    for node in nodes:
        champion = node.champion
        if champion is None or champion.hash in seen:
            continue
        if task.room is not None and len(own) + len(joined) >= task.room:
            out.append(node.name)
            continue
        seen.add(champion.hash)
        joined.append(champion)
    return replace(task.context, opponents=(*own, *joined)), tuple(out)


async def merge(
    task: Task,
    nodes: Sequence[NodeElites],
    evaluator: Evaluator,
    *,
    pool: Context | None = None,
    memo: Memo | None = None,
) -> Merged:
    """Scores all elites in one company and keeps the best of each cell of the task's own map.

    Equal arguments give equal results, whatever the number of evaluations at once; but for tasks that are
    stochastic.

    Args:
        task: what was evolved, with the axes of the common map.
        nodes: what is merged, in an order that decides between equals.
        evaluator: a started evaluator of the task. It is the one that contains untrusted programs.
        pool: the common company; None takes `common_pool`.
        memo: what is known already, and where outcomes go.

    Raises:
        SandboxError: the sandbox itself broke.
        ScoreError: the task's own code broke.
    """
    default, left_out = common_pool(task, nodes)
    company = default if pool is None else pool
    memo = {} if memo is None else memo
    elites = [elite for node in nodes for elite in node.elites]
    ran = await _score_all(elites, company, evaluator, memo)
    axes = [descriptor.axis for descriptor in task.spec.descriptors]
    grid = GridArchive(axes) if axes else None
    archives: dict[str, dict[Cell, MergedElite]] = {node.name: {} for node in nodes}
    invalid = dict.fromkeys(archives, 0)
    for elite in elites:
        placed = _placed(elite, memo[elite.program.hash, company.hash], grid)
        if placed is None:
            invalid[elite.node] += 1
        else:
            _keep(archives[elite.node], placed)
    best: dict[Cell, MergedElite] = {}
    for archive in archives.values():
        for placed in archive.values():
            _keep(best, placed)
    return Merged(
        pool=company.hash,
        opponents=len(company.opponents),
        left_out=() if pool is not None else left_out,
        axes=tuple(axes),
        cells=math.prod(axis.bins for axis in axes) if axes else None,
        nodes={name: _scores(archive) for name, archive in archives.items()},
        elites=tuple(best[cell] for cell in sorted(best)),
        invalid=invalid,
        evaluations=sum(outcome.evaluations for outcome in ran),
        reused=len(elites) - len(ran),
        source=source_of(nodes),
    )


async def _score_all(
    elites: Sequence[Elite], company: Context, evaluator: Evaluator, memo: Memo
) -> list[Outcome]:
    """Fills the memo with what is missing, each program once; returns what was evaluated."""
    missing = {
        elite.program.hash: elite.program
        for elite in elites
        if (elite.program.hash, company.hash) not in memo
    }
    programs = missing.values()
    ended = await asyncio.gather(*(evaluator.evaluate(program, company) for program in programs))
    outcomes = dict(zip(missing, ended, strict=True))
    memo.update({(digest, company.hash): outcome for digest, outcome in outcomes.items()})
    return list(outcomes.values())


def _placed(elite: Elite, outcome: Outcome, grid: GridArchive | None) -> MergedElite | None:
    """Returns where an elite lies on the common map, or None if it has no score in the common company."""
    if outcome.result is None:
        return None
    descriptor = outcome.result.descriptor
    if grid is not None and descriptor is None:
        return None
    cell = () if grid is None or descriptor is None else grid.locate(descriptor)
    return MergedElite(cell, elite.node, elite.ordinal, outcome.result.objectives[0], elite.program)


def _keep(archive: dict[Cell, MergedElite], newcomer: MergedElite) -> None:
    """Lets a strictly better newcomer take a cell, as MAP-Elites does."""
    occupant = archive.get(newcomer.cell)
    if occupant is None or newcomer.score > occupant.score:
        archive[newcomer.cell] = newcomer


def _scores(archive: Mapping[Cell, MergedElite]) -> dict[Cell, Score]:
    return {cell: archive[cell].score for cell in sorted(archive)}
