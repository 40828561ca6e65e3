"""A task whose scores depend on the company: every epoch brings another one."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path

import pytest

from speciate.engine import (
    Observer,
    Run,
    RunConfig,
    build_run,
    evolve,
    examine,
    live,
    open_epoch,
    resume,
)
from speciate.engine.fold import fold
from speciate.engine.settings import Layer
from speciate.records import Context, EpochOpened, Evaluated, Event, Member, Placed
from speciate.store import MemoryStore, RunHistory, Store, open_reader, open_store
from speciate.testing.crashes import Moment, dies
from speciate.testing.histories import TracingEvaluator, assert_same_history, events_of
from speciate.testing.knobs import axes, knobs_program, knobs_task, read_knobs
from speciate.testing.runs import SmallRuns

TASK = knobs_task(descriptors=axes())
GRID: Layer = {"population": {"archive": {"kind": "grid"}}}
RIVALS = Context(opponents=(knobs_program(1.0, 0.0), knobs_program(-2.0, 0.0)))


def grid(runs: SmallRuns, candidates: int = 24, driver: str = "sequential") -> RunConfig:
    return runs.settings("genetic", driver, GRID, {"budget": {"candidates": candidates}})


async def with_new_company(
    store: Store, config: RunConfig, context: Context, *observers: Observer, log: Path | None = None
) -> Run:
    """Takes up a stored run and opens an epoch in it."""
    run = build_run(TASK, config, store, observers=observers, evaluator=TracingEvaluator(TASK, log=log))
    fold(run)
    await run.evaluator.start()
    await open_epoch(run, context)
    await run.close()
    return run


def first_epoch(config: RunConfig) -> MemoryStore:
    store = evolve(TASK, config).store
    assert isinstance(store, MemoryStore)
    return store


def test_occupants_are_scored_again_and_the_initial_program_as_a_yardstick(runs: SmallRuns) -> None:
    store = first_epoch(grid(runs))
    settled = RunHistory(store).members()
    run = asyncio.run(with_new_company(store, grid(runs), RIVALS))
    again = {e.ordinal: e.outcome for e in events_of(store) if isinstance(e, Evaluated) and e.epoch == 1}
    assert set(again) == {ordinal for members in settled.values() for ordinal in members} | {0}
    initial = again[0].fitness
    assert initial is not None
    assert run.state.initial is not None
    assert run.state.initial.fitness == initial
    assert initial[0] != RunHistory(store).candidates[0].score
    assert RunHistory(store).counts().rescored == len(again)


def test_the_archives_begin_empty_and_are_refilled_in_ordinal_order(runs: SmallRuns) -> None:
    store = first_epoch(grid(runs))
    run = asyncio.run(with_new_company(store, grid(runs), RIVALS))
    refilled = [e.ordinal for e in events_of(store) if isinstance(e, Placed) and e.part == "1"]
    assert refilled == sorted(refilled)
    for member in run.state.population.occupants():
        assert member.fitness == RunHistory(store).outcome(member.ordinal, 1).fitness


def test_elites_move_cells_as_they_must(runs: SmallRuns) -> None:
    """The rivals of this epoch push `x` aside, so descriptors change with the company."""

    def cells(run: Run) -> dict[int, Member]:
        return {member.ordinal: member for member in run.state.population.occupants()}

    store = first_epoch(grid(runs))
    run = asyncio.run(with_new_company(store, grid(runs), Context(settings={"shift": 3.0})))
    moved = cells(run)
    assert moved
    for ordinal, member in moved.items():
        x, _ = read_knobs(run.library.program(ordinal))
        assert member.descriptor is not None
        assert member.descriptor[0] == pytest.approx(x + 3.0)


def test_the_best_belongs_to_the_epoch(runs: SmallRuns) -> None:
    store = first_epoch(grid(runs))
    old = RunHistory(store).best()
    asyncio.run(with_new_company(store, grid(runs), RIVALS))
    history = RunHistory(store)
    new = history.best()
    assert old is not None
    assert new is not None
    assert history.best(0) == old or history.best(0) is not None
    assert new.score_in(1) == max(
        outcome.fitness[0]
        for ordinal in history.candidates
        for epoch, outcome in history.candidates[ordinal].outcomes
        if epoch == 1 and outcome.fitness
    )


@pytest.mark.parametrize("driver", ["sequential", "pipeline:ordinal", "pipeline:arrival"])
def test_the_run_goes_on_in_the_new_epoch(runs: SmallRuns, driver: str) -> None:
    store = first_epoch(grid(runs, driver=driver))
    asyncio.run(with_new_company(store, grid(runs, driver=driver), RIVALS))
    more = build_run(TASK, grid(runs, 40, driver), store, evaluator=TracingEvaluator(TASK, jitter=1))
    assert asyncio.run(live(more)) == "candidates"
    later = [e for e in events_of(store) if e.ordinal > 24]
    assert {e.epoch for e in later if e.step == "chosen"} == {1}
    assert {e.part for e in later if isinstance(e, Evaluated)} == {RIVALS.hash}
    assert asyncio.run(examine(build_run(TASK, grid(runs), store, offline=True))).findings == ()


def test_a_later_epoch_may_bring_back_an_earlier_company(runs: SmallRuns, tmp_path: Path) -> None:
    log = tmp_path / "log"
    store = first_epoch(grid(runs))
    for context in (RIVALS, Context(), RIVALS):
        run = asyncio.run(with_new_company(store, grid(runs), context, log=log))
    assert run.state.epoch == 3
    seen = Counter((e.ordinal, e.epoch) for e in events_of(store) if isinstance(e, Evaluated))
    assert max(seen.values()) == 1
    made = log.read_text().splitlines()
    assert len(made) == len(set(made)), "what was known of an earlier company was evaluated again"
    history = RunHistory(store)
    for member in run.state.population.occupants():
        assert member.fitness == history.outcome(member.ordinal, 1).fitness
    assert asyncio.run(examine(build_run(TASK, grid(runs), store, offline=True))).findings == ()


MOMENTS = {
    "opened": Moment("epoch_opened", 1, "written"),
    "mid-commit": Moment("epoch_opened", 1, "writing"),
    "first started": Moment("started", 1, "written"),
    "first evaluated": Moment("evaluated", 1, "written"),
    "one placed": Moment("placed", 1, "written"),
    "third started": Moment("started", 3, "written"),
    "third not stored": Moment("evaluated", 3),
    "third evaluated": Moment("evaluated", 3, "written"),
}


def opened(folder: Path, config: RunConfig, *observers: Observer, log: Path | None = None) -> None:
    """Opens an epoch in a run folder, as an ensemble's node will."""
    store = open_store(folder)
    try:
        asyncio.run(with_new_company(store, config, RIVALS, *observers, log=log))
    finally:
        store.close()


@pytest.mark.parametrize("moment", MOMENTS.values(), ids=MOMENTS.keys())
def test_killed_while_it_refills_the_archives_it_goes_on(
    runs: SmallRuns, tmp_path: Path, moment: Moment
) -> None:
    folder, log, config = tmp_path / "run", tmp_path / "log", grid(runs)
    evolve(TASK, config, folder=folder)
    undisturbed = _undisturbed(runs)
    assert dies(lambda reaper: opened(folder, config, reaper, log=log), moment)
    stored = events_of(folder)
    evaluated = len(log.read_text().splitlines()) if log.exists() else 0
    if not any(isinstance(event, EpochOpened) for event in stored):
        opened(folder, config, log=log)  # nobody knows of it yet: whoever wanted it asks again
    resume(
        folder,
        task=TASK,
        overrides=lambda _: grid(runs, 40),
        evaluator=TracingEvaluator(TASK, log=log),
    )
    events = events_of(folder)
    assert_same_history(events, undisturbed)
    news = [e for e in events[len(stored) :] if isinstance(e, Evaluated) and e.cached is None]
    assert len(log.read_text().splitlines()) - evaluated == len(news)


def _undisturbed(runs: SmallRuns) -> list[Event]:
    store = first_epoch(grid(runs))
    asyncio.run(with_new_company(store, grid(runs), RIVALS))
    asyncio.run(live(build_run(TASK, grid(runs, 40), store)))
    return events_of(store)


def test_a_reader_of_the_folder_sees_the_epochs_apart(runs: SmallRuns, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    evolve(TASK, grid(runs), folder=folder)
    opened(folder, grid(runs))
    reader = open_reader(folder)
    history = RunHistory(reader)
    assert history.epoch == 1
    assert history.members(0)
    assert history.members(1)
    reader.close()


def test_an_epoch_is_not_opened_while_candidates_are_open(runs: SmallRuns) -> None:
    config = runs.settings("model", "sequential", GRID, {"budget": {"calls": 10, "candidates": 24}})
    store = evolve(TASK, config).store
    run = build_run(TASK, config, store)
    fold(run)
    assert run.state.open
    with pytest.raises(ValueError, match="open"):
        asyncio.run(open_epoch(run, RIVALS))
