"""One node of an ensemble whose other nodes are elsewhere: a run of its own that exchanges champions."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from speciate.engine import (
    Approve,
    Evolution,
    Observer,
    Run,
    RunConfig,
    begin_run,
    evolution_of,
    interruptible,
    live,
    reopen_run,
    until_ended,
)
from speciate.engine.settings import over_task_defaults
from speciate.ensembles.exchange import PATIENCE, Exchange
from speciate.ensembles.folders import read_table
from speciate.ensembles.rounds import RedQueenRounds
from speciate.ensembles.transport import Transport
from speciate.errors import ConfigError, RunFolderError
from speciate.evaluators import Evaluator
from speciate.files import write_whole
from speciate.records import Seconds
from speciate.tasks import Task, load_task
from speciate.version import __version__

RECORD = "node.json"
_NAME = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}")


@dataclass(frozen=True, slots=True)
class NodeRecord:
    """What a folder remembers of the node in it, beside its run.

    Attributes:
        transport: where its ensemble meets, without secrets.
        ensemble: the ensemble's name.
        node: its own name there.
        incarnation: tells it from other nodes that had or will have the name.
    """

    transport: str
    ensemble: str
    node: str
    incarnation: str


@dataclass(frozen=True, slots=True)
class NodeEvolution:
    """What one session of a node came to.

    Attributes:
        evolution: of its run.
        unsent: champions that could not be sent before it left; they are sent when it goes on.
    """

    evolution: Evolution
    unsent: int


def evolve_node(
    task: Task | str | Path,
    config: RunConfig,
    *,
    name: str,
    transport: Transport,
    place: str,
    folder: Path,
    observers: Sequence[Observer] = (),
    approve: Approve | None = None,
    evaluator: Evaluator | None = None,
    signals: bool = False,
    patience: Seconds = PATIENCE,
) -> NodeEvolution:
    """Evolves a task as one node of an ensemble.

    Args:
        task: as for `speciate.engine.evolve`, and so are all that are not named here.
        config: settings; `ensemble.name` says of which ensemble.
        name: the node's name, which nobody else in the ensemble has.
        transport: carries the champions.
        place: where that is, without secrets, to be written down.
        folder: where the run is kept; must not hold one yet.
        observers: see there.
        approve: see there.
        evaluator: see there.
        signals: see there.
        patience: seconds to wait at the end for champions that are not yet sent.

    Raises:
        UsageError: something about name, settings, folder or broker has to be mended first.
        SpeciateError: the run could not go on.
        KeyboardInterrupt: Ctrl-C came twice.
    """
    loaded = task if isinstance(task, Task) else load_task(task, config.task.parameters)
    check_node(over_task_defaults(config, loaded), name)
    record = NodeRecord(place, config.ensemble.name, name, secrets.token_hex(6))
    if is_node(folder):  # it was killed before its run began
        record = replace(record, incarnation=read_node(folder).incarnation)
    write_node(folder, record)
    try:
        run = begin_run(
            task, config, folder=folder, observers=observers, approve=approve, evaluator=evaluator
        )
    except BaseException:
        (folder / RECORD).unlink(missing_ok=True)
        raise
    return _sitting(run, record, transport, folder, patience, signals=signals)


def resume_node(
    folder: Path,
    *,
    transport: Transport,
    task: Task | None = None,
    overrides: Callable[[RunConfig], RunConfig] = lambda config: config,
    observers: Sequence[Observer] = (),
    approve: Approve | None = None,
    evaluator: Evaluator | None = None,
    signals: bool = False,
    patience: Seconds = PATIENCE,
) -> NodeEvolution:
    """Goes on with a node where it ended, however it ended; under its name, as the one it was.

    Arguments and errors are those of `evolve_node` and `speciate.engine.resume`.
    """
    record = read_node(folder)
    run = reopen_run(
        folder, task=task, overrides=overrides, observers=observers, approve=approve, evaluator=evaluator
    )
    return _sitting(run, record, transport, folder, patience, signals=signals)


def check_node(config: RunConfig, name: str) -> None:
    """Refuses settings with which a node cannot meet others over a network.

    Args:
        config: complete settings.
        name: the node's name.

    Raises:
        ConfigError: they cannot; it says what to change.
    """
    if not _NAME.fullmatch(name):
        raise ConfigError(
            f"{name!r} is no name for a node: up to 64 letters, digits, dashes, underscores and dots "
            "are, but no dot in front"
        )
    rules = config.ensemble
    if rules.clock != "wall":
        raise ConfigError("over a network there is no virtual clock: set ensemble.clock = wall")
    if not rules.rounds:
        raise ConfigError("a node plays rounds: set ensemble.rounds, or give --rounds")
    if rules.nodes:
        raise ConfigError("ensemble.nodes is for `speciate ensemble`; a node has settings of its own alone")


def is_node(folder: Path) -> bool:
    """Whether a folder holds one node of an ensemble whose others are elsewhere."""
    return (folder / RECORD).is_file()


def read_node(folder: Path) -> NodeRecord:
    """Returns what a folder remembers of the node in it.

    Raises:
        RunFolderError: it holds none that this version understands.
    """
    read = read_table(folder / RECORD, f"{folder} holds no node")
    if absent := [name for name in NodeRecord.__slots__ if name not in read]:
        raise RunFolderError(f"{folder / RECORD} is not what a node writes: {', '.join(absent)} is missing")
    return NodeRecord(*(str(read[name]) for name in NodeRecord.__slots__))


def write_node(folder: Path, record: NodeRecord) -> None:
    """Lets a folder remember the node in it.

    Raises:
        RunFolderError: it cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(folder / RECORD, json.dumps({"speciate": __version__, **asdict(record)}, indent=1) + "\n")
    except OSError as error:
        raise RunFolderError(f"{folder} cannot be written: {error.strerror or error}") from error


def _sitting(
    run: Run, record: NodeRecord, transport: Transport, folder: Path, patience: Seconds, *, signals: bool
) -> NodeEvolution:
    exchange = Exchange(transport, node=record.node, incarnation=record.incarnation)
    try:
        return until_ended(_session(run, exchange, folder, patience, signals=signals))
    finally:
        run.store.close()


async def _session(
    run: Run, exchange: Exchange, folder: Path, patience: Seconds, *, signals: bool
) -> NodeEvolution:
    async with interruptible([run]) if signals else nullcontext():
        try:
            reason = await live(run, RedQueenRounds(exchange))
        except BaseException:
            await exchange.close(patience=0.0)
            raise
        unsent = await exchange.close(patience=patience)
    return NodeEvolution(evolution_of(run, folder, reason), unsent)
