"""Starts a new run."""

from __future__ import annotations

import asyncio
import shlex
from collections.abc import Sequence
from pathlib import Path

from speciate.cli.folders import next_folder
from speciate.cli.output import Output
from speciate.cli.session import check_consent, run_session
from speciate.cli.tally import Tally
from speciate.engine import GENETIC, Approve, Evolution, Observer, RunConfig, build_run
from speciate.engine.settings import over_task_defaults
from speciate.ensembles import check_opponents, evolve
from speciate.store import MemoryStore
from speciate.tasks import Task, gateway_of, load_task


def start(name: str, config: RunConfig, *, out: Path | None, approve: bool, output: Output) -> None:
    """Evolves a task in a new folder.

    Args:
        name: a problem or a task folder.
        config: settings; those of the task's own lie below them.
        out: the run's folder; None takes the next free one under ``runs``.
        approve: whether a person is asked before each evaluation.
        output: where the words go.

    Raises:
        UsageError: the task, the settings or the folder have to be mended first.
        SpeciateError: the run could not go on.
    """
    check_consent(approve)
    task = load_task(name, config.task.parameters)
    complete = over_task_defaults(config, task)
    check_parts(task, complete)
    folder = out or next_folder(task.name)
    for line in opening(name, task, complete, folder):
        output.remark(line)

    def evolving(observers: Sequence[Observer], consent: Approve | None) -> Evolution:
        return evolve(name, config, folder=folder, observers=observers, approve=consent, signals=True)

    run_session(
        evolving,
        folder=folder,
        tally=Tally(),
        objective=task.objectives[0],
        config=complete,
        output=output,
        approve=approve,
    )


def check_parts(task: Task, config: RunConfig) -> None:
    """Builds the run's parts for nothing, so that a wrong setting is told before there is a folder."""
    if config.ensemble.rounds:
        check_opponents(task, config)
    run = build_run(task, config, MemoryStore())
    asyncio.run(run.close())


def opening(name: str, task: Task, config: RunConfig, folder: Path) -> list[str]:
    """Returns what a user should know before a run begins, a line an item."""
    first = f"Evolving {task.name} in {folder}, proposals by {who_proposes(task, config)}"
    return [first, *opening_remarks(name, task, config, folder)]


def opening_remarks(name: str, task: Task, config: RunConfig, folder: Path) -> list[str]:
    """Returns the same but for where it is kept and who proposes.

    Args:
        name: the task as the user named it.
        task: the same, loaded.
        config: the run's settings.
        folder: the run's folder.
    """
    lines: list[str] = []
    if task.remarks:
        lines.append(f"`speciate check {shlex.quote(name)}` says how this {task.format} task was understood")
    if task.forgeable:
        lines.append("Scores are forgeable: candidates run in the process that tells their score")
    if config.evaluation.unsafe_no_sandbox:
        lines.append("Candidates run WITHOUT a sandbox: they can read and change what you can")
    gateway = gateway_of(task.spec)
    asked = () if gateway is None else (gateway.model,)
    if gateway is not None:
        lines.append(
            f"Candidates ask {gateway.model} themselves, up to {gateway.calls} times a case; "
            "these calls count against the caps too"
        )
    if any(spec.startswith("simulated:") for spec in (*config.models, *asked)):
        lines.append("Simulated characters test the plumbing; their results say nothing about real models")
    spools = [spec.partition(":")[2] for spec in config.models if spec.startswith("spool:")]
    if not config.llm.replay:
        lines += [
            f"Questions wait in {folder}/asked; {folder}/README.md says how to answer" for folder in spools
        ]
    return lines + _advice(task, config)


def who_proposes(task: Task, config: RunConfig) -> str:
    """Returns who proposes in a run, and whether anybody said so."""
    if config.models:
        return ", ".join(config.models)
    own = "the built-in genetic operators"
    named = ", ".join(own if spec == GENETIC else spec for spec in task.spec.proposers)
    return f"{named} (no model is named)"


def _advice(task: Task, config: RunConfig) -> list[str]:
    """Returns what a user may not have meant. A fraction of migrants that anybody wrote down is meant."""
    lines, population = [], config.population
    chosen = "migration_fraction" in population.model_fields_set
    if population.islands > 1 and population.migration_fraction == 0 and not chosen:
        lines.append(
            f"{population.islands} islands never exchange programs: --set population.migration_fraction=0.1"
        )
    if len(task.objectives) > 1 and population.archive.kind != "pareto":
        lines.append(
            f"only the first of {len(task.objectives)} objectives decides who stays: "
            "--set population.archive.kind=pareto"
        )
    return lines
