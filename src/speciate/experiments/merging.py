"""The merged archive of an ensemble of an experiment, in the company that the plan names for all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from speciate.engine.settings import over_task_defaults
from speciate.ensembles import (
    common_pool,
    elites_of,
    merge_nodes,
    open_histories,
    read_merged,
    write_merged,
)
from speciate.errors import RunFolderError
from speciate.experiments.jobs import Job
from speciate.records import Merged, NodeElites
from speciate.store import RunHistory
from speciate.tasks import Task


def merge_job(job: Job) -> Merged:
    """Returns the merged archive of an ensemble that is over; scores it if that is not done, and keeps it.

    Raises:
        SpeciateError: it cannot be scored, read or kept.
    """
    task = job.load()
    with open_histories(job.folder, over_task_defaults(job.settings, task)) as histories:
        return merge_histories(job, task, histories)


def merge_histories(job: Job, task: Task, histories: Mapping[str, RunHistory]) -> Merged:
    """Does the same for whoever has loaded the task and opened the histories of the nodes."""
    nodes = elites_of(histories)
    pool = job.load_pool() or common_pool(task, nodes)[0]
    known = _known(job, nodes)
    if known is not None and known.pool == pool.hash:
        return known
    merged = merge_nodes(task, over_task_defaults(job.settings, task), nodes, pool=pool)
    write_merged(merged, job.folder)
    return merged


def _known(job: Job, nodes: Sequence[NodeElites]) -> Merged | None:
    try:
        return read_merged(job.folder, nodes)
    except RunFolderError:  # damaged: all in it can be computed again
        return None
