"""Starts a node of an ensemble whose others are elsewhere, and goes on with one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from speciate.cli.carry_on import read_tally
from speciate.cli.exchanged import Exchanged
from speciate.cli.folders import RUNS
from speciate.cli.output import Output
from speciate.cli.session import check_consent, run_session
from speciate.cli.settings import resumed_settings
from speciate.cli.start import check_parts, opening
from speciate.cli.tally import Tally
from speciate.engine import Approve, Evolution, Observer, RunConfig
from speciate.engine.settings import Layer, compose, over_task_defaults
from speciate.ensembles import (
    Nats,
    check_node,
    evolve_node,
    is_node,
    read_address,
    read_node,
    resume_node,
    write_node,
)
from speciate.errors import ConfigError
from speciate.store import DATABASE
from speciate.tasks import load_task


@dataclass(frozen=True, slots=True)
class Place:
    """Where a node meets the others, as options; None leaves a setting as it is.

    Attributes:
        transport: URL of the broker, perhaps with secrets in it.
        ensemble: the ensemble's name.
        name: the node's own.
        rounds: how many it plays.
        iterations: of a round.
        take_over: whether its name is taken from whoever holds it.
    """

    transport: str
    ensemble: str | None
    name: str
    rounds: int | None = None
    iterations: int | None = None
    take_over: bool = False

    def layer(self) -> Layer:
        """Returns the settings that were given."""
        given = {"name": self.ensemble, "rounds": self.rounds, "iterations": self.iterations}
        return {"ensemble": {name: value for name, value in given.items() if value is not None}}


def start_node(
    task: str,
    config: RunConfig,
    place: Place,
    caps: Layer,
    *,
    out: Path | None,
    approve: bool,
    output: Output,
) -> None:
    """Evolves a task as a node in a new folder, or goes on with the node that is there.

    Args:
        task: a problem or a task folder.
        config: settings of a new node; those of the task's own lie below them.
        place: where it meets the others.
        caps: caps given, which a node that goes on takes over.
        out: the node's folder; None for ``runs/<ensemble>-<node>``.
        approve: whether a person is asked before each evaluation.
        output: where the words go.

    Raises:
        UsageError: the task, the settings, the name, the folder or the broker have to be mended first.
        SpeciateError: the run could not go on.
    """
    folder = out or RUNS / f"{config.ensemble.name}-{place.name}"
    if is_node(folder) and (folder / DATABASE).exists():
        _check_same(folder, place, config, task)
        moved = replace(read_node(folder), transport=read_address(place.transport).url)
        write_node(folder, moved)
        carry_on_node(
            folder, [caps], (), url=place.transport, take_over=place.take_over, approve=approve, output=output
        )
        return
    check_consent(approve)
    loaded = load_task(task, config.task.parameters)
    complete = over_task_defaults(config, loaded)
    check_node(complete, place.name)
    check_parts(loaded, complete)
    address = read_address(place.transport)
    for line in opening(task, loaded, complete, folder):
        output.remark(line)
    exchanged = Exchanged(output)

    def evolving(observers: Sequence[Observer], consent: Approve | None) -> Evolution:
        ended = evolve_node(
            task,
            config,
            name=place.name,
            transport=Nats(address, take_over=place.take_over, tell=output.remark),
            place=address.url,
            folder=folder,
            observers=[*observers, exchanged],
            approve=consent,
            signals=True,
        )
        return exchanged.ended(ended)

    run_session(
        evolving,
        folder=folder,
        tally=Tally(),
        objective=loaded.objectives[0],
        config=complete,
        output=output,
        approve=approve,
        also=lambda: exchanged.as_json(read_node(folder)),
    )


def carry_on_node(
    folder: Path,
    options: Sequence[Layer],
    assignments: Sequence[str],
    *,
    url: str | None = None,
    take_over: bool = False,
    approve: bool,
    output: Output,
) -> None:
    """Resumes a node.

    Args:
        folder: the node's folder.
        options: settings that change, for example raised caps.
        assignments: single settings, as ``--set`` takes them.
        url: the broker; None for the one that the folder remembers.
        take_over: whether its name is taken from whoever holds it.
        approve: whether a person is asked before each evaluation.
        output: where the words go.

    Raises:
        UsageError: the folder holds no node, its task has changed, or a setting cannot change.
        SpeciateError: the run could not go on.
    """
    check_consent(approve)
    record = read_node(folder)
    address = read_address(url or record.transport)
    facts, tally = read_tally(folder)
    override = partial(resumed_settings, options=options, assignments=assignments)
    config: RunConfig = override(compose([facts.config]))
    exchanged = Exchanged(output)
    output.remark(
        f"Going on with {facts.spec.name} in {folder}, node {record.node} of {record.ensemble}, after "
        f"{max(0, tally.closed - 1)} candidates"
    )

    def evolving(observers: Sequence[Observer], consent: Approve | None) -> Evolution:
        ended = resume_node(
            folder,
            transport=Nats(address, take_over=take_over, tell=output.remark),
            overrides=override,
            observers=[*observers, exchanged],
            approve=consent,
            signals=True,
        )
        return exchanged.ended(ended)

    run_session(
        evolving,
        folder=folder,
        tally=tally,
        objective=facts.objective,
        config=config,
        output=output,
        approve=approve,
        also=lambda: exchanged.as_json(record),
    )


def _check_same(folder: Path, place: Place, config: RunConfig, task: str) -> None:
    """Raises ConfigError if a folder holds another node than the one that is wanted."""
    held, evolves = read_node(folder), read_tally(folder)[0].spec.name
    if load_task(task, config.task.parameters).name != evolves:
        raise ConfigError(f"the node in {folder} evolves {evolves}: choose another folder by --out")
    if (held.ensemble, held.node) != (config.ensemble.name, place.name):
        raise ConfigError(
            f"{folder} holds the node {held.node} of {held.ensemble}, not {place.name} of "
            f"{config.ensemble.name}: choose another folder by --out"
        )
