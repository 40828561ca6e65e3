"""An ensemble in one page of JSON: what `ensemble`, `resume` and `show` print."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from speciate.records import Cell, Dollars, Json, Merged, Objective, Score, Seconds
from speciate.reports.archive_map import ArchiveMap
from speciate.reports.exchange import Exchanged, Link, exchanged, links
from speciate.reports.manifest import RunFacts, read_facts
from speciate.reports.status import RunStatus
from speciate.reports.summary import Summary, summarise
from speciate.statistics import Quality, niche_novelty, opening_share, quality
from speciate.store import ProposerCounts, RunHistory

_WORST_FIRST: Final[tuple[RunStatus, ...]] = ("running", "killed", "stopped", "interrupted", "finished")


@dataclass(frozen=True, slots=True)
class NodeSummary:
    """How one node of an ensemble stands.

    Attributes:
        name: the node.
        proposers: who proposes there.
        summary: the node's run, in its own company.
        quality: its archive in the common company (scores higher is better), or None before a merger.
        generality: the highest that any of its champions reached, 0 to 1; None if it was not measured.
        novelty: niche novelty η: share of its filled cells that no other node fills; None before a merger.
        opening: niche novelty as it sees it: share of the champions it received that opened an empty cell;
            None if it received none.
        calls: replies asked for: model calls of all kinds, and proposals of whoever asks no model.
        invalid: elites without a score in the common company.
    """

    name: str
    proposers: tuple[str, ...]
    summary: Summary
    quality: Quality | None
    generality: float | None
    novelty: float | None
    opening: float | None
    calls: int
    invalid: int


@dataclass(frozen=True, slots=True)
class EnsembleSummary:
    """How an ensemble stands.

    Attributes:
        folder: its folder, or None if it lives in memory.
        task: the task's name.
        seed: the ensemble's seed.
        objective: the first objective.
        offset: of the QD-Score, in the user's own direction.
        nodes: one a node, in their order.
        merged: the merged archive, or None before a merger.
        quality: what the merged archive amounts to, scores higher is better; None before a merger.
        links: what went from node to node.
        champions: the same, added up.
        missing: the nodes that hold no run, and who knows of each all the same (nobody: it has not begun).
    """

    folder: Path | None
    task: str
    seed: int
    objective: Objective
    offset: Score
    nodes: tuple[NodeSummary, ...]
    merged: Merged | None
    quality: Quality | None
    links: tuple[Link, ...]
    champions: Exchanged
    missing: Mapping[str, Sequence[str]]

    @property
    def status(self) -> RunStatus:
        """That of the node which stands worst: it runs as long as one runs, and finished if all have.

        Where all others have finished, a node that is missing leaves the ensemble ``stopped``.
        """
        worst = min((node.summary.status for node in self.nodes), key=_WORST_FIRST.index)
        return "stopped" if worst == "finished" and self.missing else worst

    @property
    def size(self) -> str:
        """How many nodes there are, in words."""
        here = len(self.nodes)
        return f"{here} of {here + len(self.missing)} nodes" if self.missing else f"{here} nodes"

    @property
    def cost(self) -> Dollars | None:
        """Dollars of all nodes, or None if one does not know."""
        known = [node.summary.cost for node in self.nodes if node.summary.cost is not None]
        return math.fsum(known) if len(known) == len(self.nodes) else None

    @property
    def seconds(self) -> Seconds:
        """Wall time: that of the node that took longest, since they live at the same time."""
        return max((node.summary.seconds for node in self.nodes), default=0.0)

    def as_json(self) -> dict[str, Json]:
        """Returns the summary as the command line prints it."""
        champions = self.champions
        return {
            "run_dir": None if self.folder is None else str(self.folder),
            "task": self.task,
            "seed": self.seed,
            "status": self.status,
            "nodes": [_node_json(node, self.objective) for node in self.nodes],
            "merged": self._merged_json(),
            "champions": {
                "published": champions.published,
                "received": champions.received,
                "opened_cells": champions.opened,
                "rejected": champions.rejected,
            },
            "links": [_link_json(link) for link in self.links],
            "missing": {name: list(known_by) for name, known_by in self.missing.items()},
            "cost_usd": self.cost,
            "seconds": self.seconds,
        }

    def _merged_json(self) -> Json:
        merged, found = self.merged, self.quality
        if merged is None or found is None:
            return None
        best = merged.best
        return {
            "coverage": found.coverage,
            "qd_score": _finite(found.qd_score),
            "cells": found.filled,
            "of": merged.cells,
            "qd_offset": self.offset,
            "best": None if best is None else self.objective.outward(best.score),
            "best_node": None if best is None else best.node,
            "opponents": merged.opponents,
            "left_out": list(merged.left_out),
            "pool": merged.pool,
            "evaluations": merged.evaluations,
            "elites": [
                {
                    "cell": list(one.cell),
                    "node": one.node,
                    "ordinal": one.ordinal,
                    "score": self.objective.outward(one.score),
                }
                for one in merged.elites
            ],
        }


def summarise_ensemble(
    histories: Mapping[str, RunHistory],
    merged: Merged | None,
    *,
    seed: int,
    folder: Path | None = None,
    folders: Mapping[str, Path] | None = None,
    missing: Mapping[str, Sequence[str]] | None = None,
) -> EnsembleSummary:
    """Sums up an ensemble.

    Args:
        histories: of its nodes by name, in their order; at least one.
        merged: their merged archive, or None.
        seed: the ensemble's.
        folder: the ensemble's, or None if it lives in memory.
        folders: those of its nodes, by name; likewise.
        missing: nodes without a history, and who knows of each (`EnsembleSummary.missing`).

    Raises:
        StoreError: a store cannot be read.
        StoreCorruptError: what is stored cannot be understood.
    """
    facts = read_facts(next(iter(histories.values())).reader)
    found = links(histories)
    offset = facts.objective.inward(facts.spec.qd_offset)
    novelty = niche_novelty(merged.nodes) if merged is not None and merged.cells else {}
    nodes = tuple(
        _node(name, history, merged, novelty.get(name), found, offset, (folders or {}).get(name))
        for name, history in histories.items()
    )
    whole = None if merged is None else quality(merged.scores, merged.cells, offset)
    return EnsembleSummary(
        folder,
        facts.spec.name,
        seed,
        facts.objective,
        facts.spec.qd_offset,
        nodes,
        merged,
        whole,
        tuple(found),
        exchanged(histories, found),
        missing or {},
    )


def missing_words(missing: Mapping[str, Sequence[str]]) -> list[str]:
    """Returns what is said of nodes without a history, a sentence a node (`EnsembleSummary.missing`)."""
    return [
        f"Node {name} is LOST: it holds no run and had one, as {', '.join(known_by)} can tell"
        if known_by
        else f"Node {name} has not begun"
        for name, known_by in missing.items()
    ]


def _node(
    name: str,
    history: RunHistory,
    merged: Merged | None,
    novelty: float | None,
    found: Sequence[Link],
    offset: Score,
    folder: Path | None,
) -> NodeSummary:
    facts, summary = read_facts(history.reader), summarise(history, folder=folder)
    known = [one.generality for one in summary.rounds if one.generality is not None]
    own = [link for link in found if link.receiver == name]
    held = None if merged is None else merged.nodes.get(name)
    return NodeSummary(
        name,
        tuple(history.proposers()) or _named(facts),
        summary,
        None if merged is None or held is None else quality(held, merged.cells, offset),
        max(known, default=None),
        novelty,
        opening_share(sum(link.received for link in own), sum(link.opened for link in own)),
        sum(map(calls_of, summary.proposers.values())) + history.aside.usage.calls,
        0 if merged is None else merged.invalid.get(name, 0),
    )


def _named(facts: RunFacts) -> tuple[str, ...]:
    """Returns who was to propose, for a node where nobody has yet."""
    models = facts.config.get("models")
    return tuple(map(str, models)) if isinstance(models, list) and models else facts.spec.proposers


def calls_of(tally: ProposerCounts) -> int:
    """Returns the replies asked of a proposer: its model's calls, or its proposals if it asks no model."""
    return tally.usage.calls or tally.assigned


def merged_map(merged: Merged, objective: Objective) -> ArchiveMap | None:
    """Returns the merged archive over its first two axes, or None without axes.

    `ArchiveMap.ordinals` are places in `Merged.elites`; over further axes the best counts.
    """
    if not merged.axes:
        return None
    x, y = merged.axes[0], merged.axes[1] if len(merged.axes) > 1 else None
    shape = (1 if y is None else y.bins, x.bins)
    scores, places = np.full(shape, np.nan), np.full(shape, -1, dtype=np.int64)
    # Later ones overwrite: the best come last, and of equals the first on the map.
    order = sorted(range(len(merged.elites)), key=lambda place: (merged.elites[place].score, -place))
    for place in order:
        elite = merged.elites[place]
        at = _on_map(elite.cell)
        scores[at], places[at] = objective.outward(elite.score), place
    return ArchiveMap(x, y, scores, places)


def _on_map(cell: Cell) -> tuple[int, int]:
    return (cell[1] if len(cell) > 1 else 0, cell[0])


def _node_json(node: NodeSummary, objective: Objective) -> Json:
    best, archive, merged = node.summary.best, node.summary.archive, node.quality
    score = None if best is None else best.score
    if merged is not None and merged.best is not None:
        score = objective.outward(merged.best)
    return {
        "name": node.name,
        "proposer": ", ".join(node.proposers),
        "best": _finite(score),
        "coverage": archive.coverage if merged is None else merged.coverage,
        "qd_score": _finite(archive.qd_score if merged is None else merged.qd_score),
        "scored_in": "own" if merged is None else "common",
        "calls": node.calls,
        "generality": node.generality,
        "novelty": node.novelty,
        "opening_share": node.opening,
        "status": node.summary.status,
        "stop_reason": node.summary.stop_reason,
        "rounds": len(node.summary.rounds),
        "candidates": node.summary.counts.proposed,
        "evaluated": node.summary.counts.evaluations,
        "rescored": node.summary.counts.rescored,
        "cost_usd": node.summary.cost,
    }


def _link_json(link: Link) -> Json:
    return {
        "from": link.sender,
        "to": link.receiver,
        "received": link.received,
        "opened_cells": link.opened,
        "rejected": link.rejected,
        "bytes": link.size,
        "age_mean": link.age,
        "age_max": link.oldest,
    }


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None
