"""An experiment from its plan to its results; whatever ended it, it goes on from what is there."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from speciate.engine.settings import Layer
from speciate.errors import ConfigError
from speciate.experiments.analysis import TaskResult, analyse
from speciate.experiments.jobs import Job, check_jobs, plan_jobs
from speciate.experiments.manifest import check_same, read_manifest, write_manifest
from speciate.experiments.merged import (
    Analysis,
    MergedResults,
    analyse_merged,
    read_merged_results,
    write_merged_results,
)
from speciate.experiments.page import write_results
from speciate.experiments.plan import Plan, load_plan
from speciate.experiments.results import Results, read_results
from speciate.experiments.runner import Listener, State, run_jobs, state_of
from speciate.experiments.writing import Written
from speciate.statistics import check_installed
from speciate.store import FolderLock

RESULTS = "results"
"""Folder of the results within the experiment's folder."""


@dataclass(frozen=True, slots=True)
class Experiment:
    """What is to be run, and where.

    Attributes:
        plan: the plan.
        jobs: its runs.
        out: the folder of runs, manifest and results.
        missing: what its runs need and this machine lacks, a sentence each; while there is any, none is run.
    """

    plan: Plan
    jobs: tuple[Job, ...]
    out: Path
    missing: tuple[str, ...] = ()

    def states(self) -> Mapping[State, int]:
        """Returns how many runs are how far."""
        return Counter(state_of(job.folder) for job in self.jobs)


@dataclass(frozen=True, slots=True)
class Concluded:
    """What an experiment came to.

    Attributes:
        results: the runs.
        tasks: what they show.
        written: the files.
    """

    results: Results
    tasks: tuple[TaskResult, ...]
    written: Written


@dataclass(frozen=True, slots=True)
class ConcludedMerged:
    """What an experiment on ensembles came to.

    Attributes:
        results: the ensembles.
        analyses: what they show.
        written: the files.
    """

    results: MergedResults
    analyses: tuple[Analysis, ...]
    written: Written


def open_experiment(
    name_or_path: str,
    *,
    out: Path | None = None,
    changes: Layer | None = None,
    overrides: Sequence[Layer] = (),
) -> Experiment:
    """Reads a plan and checks all of its conditions; writes nothing.

    Args:
        name_or_path: a plan's file, or the name of one that ships with speciate.
        out: the experiment's folder; None is ``experiments/<plan>``.
        changes: laid over the plan itself, for example other seeds or another budget.
        overrides: laid over the plan's settings and under those of the conditions.

    Raises:
        UsageError: the plan, a condition, a task or the folder has to be mended first, or scipy is missing.
    """
    check_installed()
    plan, base = load_plan(name_or_path, changes=changes)
    out = (out or Path("experiments") / plan.name).absolute()
    jobs = plan_jobs(plan, base, out, overrides)
    recorded = read_manifest(out)
    if recorded is not None:
        check_same(recorded, jobs, out)
    return Experiment(plan, jobs, out, missing=check_jobs(jobs, plan.budget))


def conduct(experiment: Experiment, *, at_once: int | None, listener: Listener) -> None:
    """Runs what has not been run to its end; failed runs get another try.

    Args:
        experiment: the experiment.
        at_once: how many runs at the same time; None is one a core.
        listener: is told how it goes on.

    Raises:
        ConfigError: something is missing that its runs need.
        RunFolderError: another process conducts it, or its folder cannot be written.
        KeyboardInterrupt: Ctrl-C; everything that is recorded stays.
    """
    if experiment.missing:
        raise ConfigError("; ".join(experiment.missing))
    lock = FolderLock(experiment.out)
    try:
        recorded = read_manifest(experiment.out)
        if recorded is not None:  # once more, now that nobody else can change it
            check_same(recorded, experiment.jobs, experiment.out)
        write_manifest(experiment.out, experiment.plan, experiment.jobs, recorded)
        left = [job for job in experiment.jobs if state_of(job.folder) != "done"]
        run_jobs(left, at_once=at_once or cores(), listener=listener)
    finally:
        lock.release()


def conclude(experiment: Experiment) -> Concluded:
    """Reads all runs and writes the results, also of an experiment that is not over.

    Raises:
        MissingExtraError: scipy is not installed.
        RunFolderError: the results cannot be written.
        StoreError: a history cannot be read.
    """
    results = read_results(experiment.plan, experiment.jobs)
    tasks = analyse(results)
    return Concluded(results, tasks, write_results(results, tasks, experiment.out / RESULTS))


def conclude_merged(experiment: Experiment) -> ConcludedMerged:
    """Reads all ensembles of a plan with [merged], merges what is not merged, and writes the results.

    Raises:
        MissingExtraError: scipy is not installed.
        RunFolderError: the results cannot be written.
        TaskError: a task cannot be loaded.
    """
    results = read_merged_results(experiment.plan, experiment.jobs)
    analyses = analyse_merged(results)
    written = write_merged_results(results, analyses, experiment.out / RESULTS)
    return ConcludedMerged(results, analyses, written)


def cores() -> int:
    """Returns how many cores this process may use."""
    return len(os.sched_getaffinity(0))
