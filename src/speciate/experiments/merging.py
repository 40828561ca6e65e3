"""The merged archive of an ensemble of an experiment, in the company that the plan names for all."""

from __future__ import annotations

from speciate.engine.settings import over_task_defaults
from speciate.ensembles import elites_of, merge_nodes, open_histories, read_merged, write_merged
from speciate.experiments.jobs import Job
from speciate.records import Merged


def merge_job(job: Job) -> Merged:
    """Returns the merged archive of an ensemble that is over; scores it if that is not done, and keeps it.

    Raises:
        SpeciateError: it cannot be scored, read or kept.
    """
    task = job.load()
    config, pool = over_task_defaults(job.settings, task), job.load_pool()
    with open_histories(job.folder, config) as histories:
        nodes = elites_of(histories)
    known = read_merged(job.folder, nodes)
    if known is not None and (pool is None or known.pool == pool.hash):
        return known
    merged = merge_nodes(task, config, nodes, pool=pool)
    write_merged(merged, job.folder)
    return merged
