"""How long an experiment on ensembles will take, from a short try."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import replace

from speciate.engine import RunConfig
from speciate.engine.settings import Layer, compose, over_task_defaults
from speciate.ensembles import evolve_ensemble, members_of
from speciate.evaluators import Evaluator, build_evaluator
from speciate.experiments.jobs import Job, candidates_of
from speciate.records import Context, Seconds
from speciate.tasks import Task

ITERATIONS = 6
"""Candidates of each node in the try."""

_REPEATS = 3


def estimate(jobs: Sequence[Job], at_once: int) -> Seconds:
    """Returns the seconds that ensembles will take, at a rough guess from some seconds of trying.

    One ensemble of each task plays the beginning of its first round in memory; what a candidate costs there
    is corrected for the company that grows with the rounds. That occupants are scored again and archives
    merged is left out, so that it will rather take longer.

    Args:
        jobs: those that are to be run. None of them may ask a model that costs anything.
        at_once: how many run at the same time.

    Raises:
        UsageError: one cannot begin.
    """
    each: dict[str, Seconds] = {}
    total = 0.0
    for job in jobs:
        task = job.load()
        config = over_task_defaults(job.settings, task)
        if job.task not in each:
            each[job.task] = _one_candidate(task, config)
        total += each[job.task] * candidates_of(config)
    return total / at_once


def _one_candidate(task: Task, config: RunConfig) -> Seconds:
    short: Layer = {"ensemble": {"rounds": 1, "iterations": ITERATIONS, "initial": 0}}
    tried = compose([config.model_dump(mode="json", exclude_unset=True), short])
    began = time.perf_counter()
    evolve_ensemble(task, tried)
    seconds = (time.perf_counter() - began) / (len(members_of(tried)) * ITERATIONS)
    if not task.spec.evaluation.company:
        return seconds
    first, last = asyncio.run(_evaluations(task, config))
    return seconds + max(0.0, last - first) / 2


async def _evaluations(task: Task, config: RunConfig) -> tuple[Seconds, Seconds]:
    """Returns the seconds of one evaluation in the first company and in the largest."""
    own = task.context.opponents or (task.initial,)
    joining = config.ensemble.opponents.max - len(task.context.opponents)
    most = config.ensemble.rounds * len(config.ensemble.nodes)
    extra = tuple(own[number % len(own)] for number in range(max(0, min(joining, most))))
    full = replace(task.context, opponents=(*task.context.opponents, *extra))
    evaluator = build_evaluator(task, config.evaluation)
    await evaluator.start()
    try:
        timed = []
        for company in (task.context, full):
            timed.append(min([await _timed(evaluator, task, company) for _ in range(_REPEATS)]))
    finally:
        await evaluator.close()
    return timed[0], timed[1]


async def _timed(evaluator: Evaluator, task: Task, company: Context) -> Seconds:
    began = time.perf_counter()
    await evaluator.evaluate(task.initial, company)
    return time.perf_counter() - began
