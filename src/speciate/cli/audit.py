"""What `doctor RUN` does: a recorded run is decided again, offline, and compared."""

from __future__ import annotations

import asyncio
from pathlib import Path

import typer

from speciate.cli.failures import BROKEN
from speciate.cli.output import Output
from speciate.engine import Diagnosis, RunConfig, build_run, examine
from speciate.engine.settings import compose
from speciate.ensembles import RedQueenRounds
from speciate.errors import TaskError
from speciate.reports import read_facts
from speciate.store import ReadOnlyStore, Store, open_reader
from speciate.tasks import Task, load_task

MOST_SHOWN = 20


def examine_run(folder: Path, output: Output) -> None:
    """Examines a run, as far as it has got, and tells what was found. Writes nothing.

    Raises:
        UsageError: the folder holds no run, or its task is not there any more.
        StoreError: the history cannot be read.
        typer.Exit: with 1, something is wrong with the history.
    """
    store = ReadOnlyStore(open_reader(folder))
    try:
        facts = read_facts(store)
        config = compose([facts.config])
        diagnosis = asyncio.run(_examine(_task(facts.source, config), config, store))
    finally:
        store.close()
    output.say(f"{folder}: {diagnosis.events} events read, {diagnosis.redecided} decisions made again")
    for finding in diagnosis.findings[:MOST_SHOWN]:
        output.say(f"  candidate {finding.ordinal}, {finding.check}: {finding.message}")
    if len(diagnosis.findings) > MOST_SHOWN:
        output.say(f"  … and {len(diagnosis.findings) - MOST_SHOWN} more (--json lists them all)")
    output.say("All is well" if diagnosis.healthy else f"{len(diagnosis.findings)} findings")
    output.result(
        {
            "run_dir": folder,
            "events": diagnosis.events,
            "redecided": diagnosis.redecided,
            "healthy": diagnosis.healthy,
            "findings": diagnosis.findings,
        }
    )
    if not diagnosis.healthy:
        raise typer.Exit(BROKEN)


async def _examine(task: Task, config: RunConfig, store: Store) -> Diagnosis:
    run = build_run(task, config, store, offline=True)
    try:
        return await examine(run, RedQueenRounds())
    finally:
        await run.close()


def _task(source: str | None, config: RunConfig) -> Task:
    if source is None:
        raise TaskError("this run's task was built in Python: call speciate.engine.examine on a run of it")
    return load_task(source, config.task.parameters)
