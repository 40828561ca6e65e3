"""What `doctor RUN` does: a recorded run is decided again, offline, and compared."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path

import typer

from speciate.cli.failures import BROKEN
from speciate.cli.output import Output
from speciate.engine import Diagnosis, RunConfig, build_run, examine
from speciate.engine.settings import compose
from speciate.ensembles import (
    RedQueenRounds,
    elites_of,
    missing_nodes,
    node_folder,
    open_histories,
    read_ensemble,
    read_merged,
    wrong_nodes,
)
from speciate.errors import RunFolderError, TaskError
from speciate.reports import missing_words, read_facts
from speciate.store import ReadOnlyStore, RunHistory, Store, open_reader
from speciate.tasks import Task, load_task

MOST_SHOWN = 20


def examine_run(folder: Path, output: Output) -> None:
    """Examines a run, as far as it has got, and tells what was found. Writes nothing.

    Raises:
        UsageError: the folder holds no run, or its task is not there any more.
        StoreError: the history cannot be read.
        typer.Exit: with 1, something is wrong with the history.
    """
    diagnosis = _diagnosed(folder)
    _tell(folder, diagnosis, output)
    output.result(_json(folder, diagnosis))
    if not diagnosis.healthy:
        raise typer.Exit(BROKEN)


def examine_nodes(folder: Path, output: Output) -> None:
    """Examines every node of an ensemble that has begun, as `examine_run` does one run, and who is there.

    Raises:
        UsageError: as for `examine_run`, or no node has begun.
        StoreError: a history cannot be read.
        typer.Exit: with 1, something is wrong with a history, or with what lies in the folder.
    """
    source, config = read_ensemble(folder)
    findings = wrong_nodes(folder, source, config)
    with open_histories(folder, config, none=bool(findings)) as histories:
        missing = missing_nodes(folder, config, histories)
        findings += _damage(folder, histories)
    found = {name: _diagnosed(node_folder(folder, name)) for name in histories}
    for name, diagnosis in found.items():
        _tell(node_folder(folder, name), diagnosis, output)
    output.say(*missing_words(missing), *findings)
    healthy = all(diagnosis.healthy for diagnosis in found.values()) and not (
        findings or any(missing.values())
    )
    nodes = {name: _json(node_folder(folder, name), diagnosis) for name, diagnosis in found.items()}
    output.result(
        {"run_dir": folder, "healthy": healthy, "nodes": nodes, "missing": missing, "findings": findings}
    )
    if not healthy:
        raise typer.Exit(BROKEN)


def _damage(folder: Path, histories: Mapping[str, RunHistory]) -> list[str]:
    """Returns what is wrong with the merged archive that is kept."""
    try:
        read_merged(folder, elites_of(histories))
    except RunFolderError as error:
        return [f"{error}: `speciate report {folder}` merges again"]
    return []


def _diagnosed(folder: Path) -> Diagnosis:
    store = ReadOnlyStore(open_reader(folder))
    try:
        facts = read_facts(store)
        config = compose([facts.config])
        return asyncio.run(_examine(_task(facts.source, config), config, store))
    finally:
        store.close()


def _tell(folder: Path, diagnosis: Diagnosis, output: Output) -> None:
    output.say(f"{folder}: {diagnosis.events} events read, {diagnosis.redecided} decisions made again")
    for finding in diagnosis.findings[:MOST_SHOWN]:
        output.say(f"  candidate {finding.ordinal}, {finding.check}: {finding.message}")
    if len(diagnosis.findings) > MOST_SHOWN:
        output.say(f"  … and {len(diagnosis.findings) - MOST_SHOWN} more (--json lists them all)")
    output.say("All is well" if diagnosis.healthy else f"{len(diagnosis.findings)} findings")


def _json(folder: Path, diagnosis: Diagnosis) -> dict[str, object]:
    return {
        "run_dir": folder,
        "events": diagnosis.events,
        "redecided": diagnosis.redecided,
        "healthy": diagnosis.healthy,
        "findings": diagnosis.findings,
    }


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
