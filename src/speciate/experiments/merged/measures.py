"""What each ensemble of an experiment came to. Reads histories, and scores merged archives that lack it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from speciate.archives import GridArchive
from speciate.engine.settings import over_task_defaults
from speciate.ensembles import LAST_ROUND, members_of, node_folder, open_histories
from speciate.errors import SpeciateError
from speciate.experiments.jobs import Job
from speciate.experiments.merging import merge_histories
from speciate.experiments.plan import Plan
from speciate.experiments.results import Missing, why_missing
from speciate.experiments.runner import state_of
from speciate.records import Cell, Merged, Objective
from speciate.reports import EnsembleSummary, NodeSummary, artificial, read_facts, summarise_ensemble
from speciate.statistics import mean_novelty
from speciate.store import RunHistory
from speciate.tasks import Task

Seat: TypeAlias = "tuple[str, ...]"
"""Who proposes at a node: one proposer, or several that are drawn from."""


@dataclass(frozen=True, slots=True)
class MeasuredEnsemble:
    """An ensemble whose nodes have all played their rounds.

    Attributes:
        job: what was run.
        seats: who proposes at each node, by the node's name.
        summary: its nodes and its merged archive.
        visits: how many of its candidates fell into each cell of the task's map, each where it was scored.
        proposals: candidates that its nodes chose, valid or not.
        stand_ins: proposers and models that only stand in for real ones.
    """

    job: Job
    seats: Mapping[str, Seat]
    summary: EnsembleSummary
    visits: Mapping[Cell, int]
    proposals: int
    stand_ins: tuple[str, ...]

    @property
    def merged(self) -> Merged:
        """Its merged archive."""
        assert self.summary.merged is not None
        return self.summary.merged

    def nodes_of(self, seat: Seat) -> list[NodeSummary]:
        """Returns the nodes where these sit."""
        return [node for node in self.summary.nodes if self.seats[node.name] == seat]


@dataclass(frozen=True, slots=True)
class MergedResults:
    """All ensembles of an experiment.

    Attributes:
        plan: what was planned.
        objectives: the first objective of each task, by its label.
        measured: the ensembles that count, in the order of the jobs.
        missing: those that do not.
    """

    plan: Plan
    objectives: Mapping[str, Objective]
    measured: tuple[MeasuredEnsemble, ...]
    missing: tuple[Missing, ...]


@dataclass(frozen=True, slots=True)
class EnsembleMeasure:
    """One number of an ensemble; more of it is better.

    Attributes:
        name: as in tables and files.
        about: what it is.
        of: reads it; None where the ensemble has none.
        by_node: reads it of one node, or None for a measure of merged archives only.
    """

    name: str
    about: str
    of: Callable[[MeasuredEnsemble], float | None]
    by_node: Callable[[NodeSummary], float | None] | None = None

    def of_nodes(self, nodes: Sequence[NodeSummary]) -> float | None:
        """Returns the mean over nodes, or None if none has the measure."""
        if self.by_node is None:
            return None
        known = [value for node in nodes if (value := self.by_node(node)) is not None]
        return math.fsum(known) / len(known) if known else None


def _coverage(run: MeasuredEnsemble) -> float | None:
    return None if run.summary.quality is None else run.summary.quality.coverage


def _qd_score(run: MeasuredEnsemble) -> float | None:
    return None if run.summary.quality is None else run.summary.quality.qd_score


def _generality(run: MeasuredEnsemble) -> float | None:
    known = [node.generality for node in run.summary.nodes if node.generality is not None]
    return max(known, default=None)


def _novelty(run: MeasuredEnsemble) -> float | None:
    return mean_novelty({node.name: node.novelty for node in run.summary.nodes})


MEASURES: tuple[EnsembleMeasure, ...] = (
    EnsembleMeasure("coverage", "share of the cells that the merged archive fills", _coverage),
    EnsembleMeasure("qd_score", "sum of the merged archive's scores above the offset", _qd_score),
    EnsembleMeasure(
        "generality",
        "highest generality that any node's champion reached; of a node: that its own reached",
        _generality,
        lambda node: node.generality,
    ),
    EnsembleMeasure(
        "novelty",
        "niche novelty: share of a node's filled cells that no other node fills, mean over the nodes",
        _novelty,
        lambda node: node.novelty,
    ),
)
"""What ensembles are compared by (DEI, arXiv 2605.27130; the measures are those of `speciate.statistics`)."""


def read_merged_results(plan: Plan, jobs: Sequence[Job]) -> MergedResults:
    """Reads what the ensembles came to; merges archives where that is not done.

    Args:
        plan: the plan.
        jobs: its ensembles.

    Raises:
        TaskError: a task cannot be loaded.
    """
    tasks = {task: job.load() for task, job in {job.task: job for job in jobs}.items()}
    measured: list[MeasuredEnsemble] = []
    missing: list[Missing] = []
    for job in jobs:
        state = state_of(job.folder)
        if state != "done":
            missing.append(Missing(job, state, why_missing(job, state)))
            continue
        try:
            found = _measure(job, plan, tasks[job.task])
            cut = sorted({node.summary.stop_reason or "" for node in found.summary.nodes} - {LAST_ROUND})
            if cut:
                why = f"a cap ended it before its rounds were played ({', '.join(cut)})"
                missing.append(Missing(job, state, why))
            else:
                measured.append(found)
        except SpeciateError as error:
            missing.append(Missing(job, "failed", str(error)))
    objectives = {label: task.objectives[0] for label, task in tasks.items()}
    return MergedResults(plan, objectives, tuple(measured), tuple(missing))


def _measure(job: Job, plan: Plan, task: Task) -> MeasuredEnsemble:
    config = over_task_defaults(job.settings, task)
    members = members_of(config)
    folders = {member.name: node_folder(job.folder, member.name) for member in members}
    with open_histories(job.folder, config) as histories:
        merged = merge_histories(job, task, histories)
        summary = summarise_ensemble(histories, merged, seed=job.seed, folder=job.folder, folders=folders)
        seats = {
            member.name: tuple(map(plan.proposer_name, member.config.models or task.spec.proposers))
            for member in members
        }
        stand_ins = {
            name
            for history, node in zip(histories.values(), summary.nodes, strict=True)
            for name in artificial(history, node.summary)
        }
        return MeasuredEnsemble(
            job,
            seats,
            summary,
            _visits(histories, task),
            sum(node.summary.counts.proposed for node in summary.nodes),
            tuple(sorted(stand_ins)),
        )


def _visits(histories: Mapping[str, RunHistory], task: Task) -> Mapping[Cell, int]:
    """Counts where proposals fell; what was planted or came from peers is none of the nodes' own."""
    axes = [descriptor.axis for descriptor in task.spec.descriptors]
    if not axes:
        return {}
    grid = GridArchive(axes)
    found: Counter[Cell] = Counter()
    for history in histories.values():
        if [one.axis for one in read_facts(history.reader).spec.descriptors] != axes:
            continue  # a node may keep axes of its own: where its candidates lie says nothing of this map
        for candidate in history.candidates.values():
            where = candidate.descriptor
            if not candidate.choice.planted and where is not None:
                found[grid.locate(where)] += 1
    return dict(sorted(found.items()))
