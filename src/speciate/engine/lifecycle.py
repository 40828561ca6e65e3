"""Starting, resuming and ending a run."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

from speciate.archives import PopulationConfig
from speciate.engine import pipeline, sequential
from speciate.engine.arms import decide_arms
from speciate.engine.build import build_run
from speciate.engine.chores import end_notes, keep_notes
from speciate.engine.config import RunConfig
from speciate.engine.epochs import refill
from speciate.engine.fold import fold
from speciate.engine.manifest import describe, read_manifest, session_facts
from speciate.engine.observers import Observer
from speciate.engine.planting import grow, plant, plant_seeds
from speciate.engine.proposers import is_model
from speciate.engine.rounds import Rounds
from speciate.engine.run import Approve, Run
from speciate.engine.settings import over_task_defaults
from speciate.engine.signals import interruptible, until_ended
from speciate.errors import ConfigError, RunFolderError, SpeciateError, TaskError
from speciate.evaluators import Evaluator, evaluator_hash
from speciate.llm import located, model_kinds
from speciate.records import INITIAL, Entry
from speciate.store import MemoryStore, Store, holds_run, open_reader, open_store
from speciate.tasks import Task, list_tasks, load_task

HEARTBEAT_SECONDS = 1.0
FAILED = "failed"


@dataclass(frozen=True)
class Evolution:
    """What one session of a run came to.

    Attributes:
        task: what was evolved.
        config: complete settings.
        store: the history; closed when the run has a folder (open it again with `open_reader`).
        stop_reason: why it ended.
        best: the best candidate of the last epoch, or None if nothing is valid.
        folder: the run's folder, or None if it lived in memory.
        needed: if a cap on calls, tokens or cost ended it: the least cap under which the call that was
            refused would have fit at its worst; else None.
    """

    task: Task
    config: RunConfig
    store: Store
    stop_reason: str
    best: Entry | None
    folder: Path | None
    needed: float | None = None

    @property
    def score(self) -> float | None:
        """The best value of the first objective, in the user's own direction."""
        fitness = self.best.outcome.fitness if self.best else None
        return None if fitness is None else self.task.objectives[0].outward(fitness[0])


def evolve(
    task: Task | str | Path,
    config: RunConfig | None = None,
    *,
    folder: Path | None = None,
    observers: Sequence[Observer] = (),
    approve: Approve | None = None,
    evaluator: Evaluator | None = None,
    rounds: Rounds | None = None,
    signals: bool = False,
) -> Evolution:
    """Evolves a task in a new run.

    Args:
        task: a task, the name of a built-in problem, or a task folder.
        config: settings; what is not set in them is as the task's own `defaults` say, then as ours.
        folder: where the run is kept; must not hold a run yet. None keeps it in memory.
        observers: are told of every event.
        approve: asks before each evaluation, or None.
        evaluator: scores programs instead of the task's own evaluator.
        rounds: plays the rounds, for settings that want some; `speciate.ensembles.evolve` brings it along.
        signals: whether Ctrl-C ends the run in order (once) or at once (twice).

    Raises:
        UsageError: something about the task, the settings or the folder has to be mended first.
        SpeciateError: the run could not go on; what is recorded stays and can be resumed.
        KeyboardInterrupt: Ctrl-C came twice; the same holds.
    """
    run = begin_run(task, config, folder=folder, observers=observers, approve=approve, evaluator=evaluator)
    try:
        return _run_session(run, folder, rounds, signals=signals)
    finally:
        if folder is not None:
            run.store.close()


def begin_run(
    task: Task | str | Path,
    config: RunConfig | None = None,
    *,
    folder: Path | None = None,
    observers: Sequence[Observer] = (),
    approve: Approve | None = None,
    evaluator: Evaluator | None = None,
) -> Run:
    """Makes a new run for `live`, and writes down what it is. Whoever calls this closes `Run.store`.

    Arguments and errors are those of `evolve`.
    """
    config = config or RunConfig()
    config = _with_located_task(config)
    source = None if isinstance(task, Task) else str(task)
    task = task if isinstance(task, Task) else load_task(task, config.task.parameters)
    changed = _located(config).model_dump(mode="json", exclude_defaults=True)
    config = _located(over_task_defaults(config, task))
    store: Store = MemoryStore() if folder is None else _new_store(folder)
    try:
        run = build_run(task, config, store, observers=observers, approve=approve, evaluator=evaluator)
        run.config = _settled(run)
        # After what may be refused, which leaves no run behind.
        store.begin(describe(run, source, changed=changed))
    except BaseException:
        if folder is not None:
            store.close()
        raise
    return run


def resume(
    folder: Path,
    *,
    task: Task | None = None,
    overrides: Callable[[RunConfig], RunConfig] = lambda config: config,
    observers: Sequence[Observer] = (),
    approve: Approve | None = None,
    evaluator: Evaluator | None = None,
    rounds: Rounds | None = None,
    signals: bool = False,
) -> Evolution:
    """Goes on with a run where it ended, however it ended.

    Args:
        folder: the run's folder.
        task: the task, for runs of tasks built in Python; None loads it from where it was.
        overrides: changes the recorded settings, for example raises a budget.
        observers: are told of every new event.
        approve: asks before each evaluation, or None.
        evaluator: scores programs instead of the task's own evaluator.
        rounds: as for `evolve`.
        signals: as for `evolve`.

    Raises:
        UsageError: the folder holds no run, or the task has changed since.
        SpeciateError: the run could not go on.
        KeyboardInterrupt: as for `evolve`.
    """
    run = reopen_run(
        folder, task=task, overrides=overrides, observers=observers, approve=approve, evaluator=evaluator
    )
    try:
        return _run_session(run, folder, rounds, signals=signals)
    finally:
        run.store.close()


def reopen_run(
    folder: Path,
    *,
    task: Task | None = None,
    overrides: Callable[[RunConfig], RunConfig] = lambda config: config,
    observers: Sequence[Observer] = (),
    approve: Approve | None = None,
    evaluator: Evaluator | None = None,
) -> Run:
    """Makes a run for `live` of one that exists. Whoever calls this closes `Run.store`.

    Arguments and errors are those of `resume`.
    """
    store = _old_store(folder)
    try:
        recorded = read_manifest(store)
        config = overrides(recorded.config)
        task = task or _reload(recorded.source, config)
        if evaluator_hash(task) != recorded.evaluator:
            raise TaskError(
                "the task has changed since this run began: scores of before and after cannot be compared. "
                f"{_remedy(recorded.source, task)}, or start a new run"
            )
        return build_run(task, config, store, observers=observers, approve=approve, evaluator=evaluator)
    except BaseException:
        store.close()
        raise


def _remedy(source: str | None, task: Task) -> str:
    """Says how to get a task back as it was."""
    if source in list_tasks():
        return f"{source} comes with another version of its package: go on with the one that began the run"
    return f"Restore the files of {source or task.name}"


def _run_session(run: Run, folder: Path | None, rounds: Rounds | None, *, signals: bool) -> Evolution:
    return until_ended(_session(run, folder, rounds, signals=signals))


async def _session(run: Run, folder: Path | None, rounds: Rounds | None, *, signals: bool) -> Evolution:
    with_signals = interruptible([run]) if signals else nullcontext()
    async with with_signals:
        reason = await live(run, rounds)
    return evolution_of(run, folder, reason)


def evolution_of(run: Run, folder: Path | None, reason: str) -> Evolution:
    """Returns what a session came to that has ended.

    Args:
        run: it has lived.
        folder: where it is kept, or None.
        reason: why it stopped.
    """
    best = run.state.population.best()
    entry = None if best is None else run.standing(best.ordinal)
    refused = run.gateway.refused
    needed = refused.needed if refused is not None and refused.cap == reason else None
    return Evolution(run.task, run.config, run.store, reason, entry, folder, needed)


async def live(run: Run, rounds: Rounds | None = None) -> str:
    """Folds what is recorded, then drives the run to its end; returns why it stopped.

    Raises:
        ConfigError: the settings want rounds, and nobody plays them.
        SpeciateError: the set-up broke; what is recorded stays.
    """
    fold(run)
    if changed := decide_arms(run):
        run.journal.note(changed)
    session = run.store.open_session(session_facts(run))
    reason = FAILED
    try:
        await run.evaluator.start()
        async with asyncio.TaskGroup() as tasks:
            run.tasks = tasks
            pulse = tasks.create_task(_heartbeat(run, session))
            reason = await _drive(run, rounds)
            await end_notes(run, interrupted=run.stopping is not None)
            pulse.cancel()
    except BaseExceptionGroup as group:
        raise _first(group) from group
    except asyncio.CancelledError:
        reason = pipeline.INTERRUPTED
        raise
    finally:
        try:
            await run.close()
        finally:
            run.store.update_session(session, seconds=run.budget.session_seconds, stop_reason=reason)
    return reason


async def _drive(run: Run, rounds: Rounds | None) -> str:
    if run.config.ensemble.rounds and rounds is None:
        raise ConfigError("these settings want rounds: evolve and resume of speciate.ensembles play them")
    if run.state.issued == 0:
        await plant(run, run.task.initial, "initial program")
    for life in list(run.state.open.values()):
        if life.chosen.choice.planted:  # a crash left it in the ground
            await grow(run, life.chosen.choice)
    await plant_seeds(run)
    await refill(run)
    if run.stopping is not None:  # perhaps before there is a best again
        return run.stopping
    await keep_notes(run)
    if run.state.population.best() is None and not run.config.allow_invalid_seed:
        await run.journal.flush()
        raise TaskError(f"the initial program is not valid: {_why_invalid(run)}")
    return await (rounds.play(run, course) if rounds and run.config.ensemble.rounds else course(run))


async def course(run: Run) -> str:
    """Lives candidates as the settings' driver does, until no more are needed; returns why."""
    if run.config.driver == "sequential":
        return await sequential.drive(run)
    return await pipeline.Pipeline(run).drive()


def _why_invalid(run: Run) -> str:
    failure = run.standing(INITIAL).outcome.failure
    if failure is None:
        return "it has no score in this epoch"
    return f"{failure.message} ({failure.kind}). Try `speciate check` on the task"


async def _heartbeat(run: Run, session: int) -> None:
    """Keeps the recorded time and events close to what happened, for readers and for the next session."""
    while True:
        await asyncio.sleep(HEARTBEAT_SECONDS)
        await run.journal.flush()
        run.store.update_session(session, seconds=run.budget.session_seconds)


def _first(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """Returns what broke the run: our own error if there is one among those that fell together."""
    leaves: list[BaseException] = []
    for error in group.exceptions:
        leaves.append(_first(error) if isinstance(error, BaseExceptionGroup) else error)
    return next((error for error in leaves if isinstance(error, SpeciateError)), leaves[0])


def _located(config: RunConfig) -> RunConfig:
    """Makes paths in the settings absolute: a run may be resumed from anywhere.

    Models for whom a recording stands in open no file, and keep the names under which they were recorded.
    """
    here = Path.cwd()

    def place(spec: str) -> str:
        return spec if config.llm.replay or not is_model(spec) else located(spec, here)

    llm, judge = {"record": config.llm.record, "replay": config.llm.replay}, config.novelty.judge
    keeper, reworder = config.scratchpad.model, config.prompts.evolve.proposer
    evolve = config.prompts.evolve.model_copy(update={"proposer": reworder and place(reworder)})
    return config.model_copy(
        update={
            "population": _located_islands(config.population, here),
            "models": tuple(map(place, config.models)),
            "llm": config.llm.model_copy(update={name: path and here / path for name, path in llm.items()}),
            "novelty": config.novelty.model_copy(update={"judge": judge and place(judge)}),
            "scratchpad": config.scratchpad.model_copy(update={"model": keeper and place(keeper)}),
            "prompts": config.prompts.model_copy(update={"evolve": evolve}),
        }
    )


def _with_located_task(config: RunConfig) -> RunConfig:
    """Does the same for a parameter ``model`` of the task, which names whom candidates ask."""
    model = config.task.parameters.get("model")
    if not isinstance(model, str) or model.partition(":")[0] not in model_kinds():
        return config
    parameters = {**config.task.parameters, "model": located(model, Path.cwd())}
    return config.model_copy(update={"task": config.task.model_copy(update={"parameters": parameters})})


def _located_islands(config: PopulationConfig, here: Path) -> PopulationConfig:
    islands = [
        island.model_copy(update={"initial": island.initial and here / island.initial})
        for island in config.island
    ]
    return config.model_copy(update={"island": tuple(islands)}) if islands else config


def _new_store(folder: Path) -> Store:
    if holds_run(folder):
        raise RunFolderError(
            f"{folder} holds a run already: go on with it by `speciate resume {folder}`, or choose another "
            "folder"
        )
    return open_store(folder)


def _old_store(folder: Path) -> Store:
    open_reader(folder).close()  # says so if there is no run, and makes nothing
    return open_store(folder)


def _settled(run: Run) -> RunConfig:
    """Writes down what this machine decided: a run that goes on elsewhere must not decide again."""
    settled = {"in_flight": run.in_flight, "window": run.window}
    return run.config.model_copy(update={"pipeline": run.config.pipeline.model_copy(update=settled)})


def _reload(source: str | None, config: RunConfig) -> Task:
    if source is None:
        raise TaskError("this run's task was built in Python: pass it to resume(folder, task=…)")
    return load_task(source, config.task.parameters)
