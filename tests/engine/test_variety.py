"""All archives, policies, objectives and kinds of ending through the whole engine."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Mapping
from typing import get_args

import pytest

from speciate.engine import RunConfig, build_run, evolve, examine, live
from speciate.engine.fold import fold
from speciate.engine.settings import Layer
from speciate.errors import ConfigError, TaskError
from speciate.records import (
    Asked,
    Chosen,
    Direction,
    Evaluated,
    Json,
    Migrated,
    Patched,
    Placed,
    text_refs,
)
from speciate.selection.config import PolicyName
from speciate.store import MemoryStore, RunHistory, StoreReader
from speciate.tasks import Task
from speciate.testing.histories import (
    TracingEvaluator,
    assert_nothing_lost,
    assert_same_history,
    events_of,
)
from speciate.testing.knobs import PRIVATE, axes, diff_reply, knobs_program, knobs_task
from speciate.testing.runs import SmallRuns

ARCHIVES: Mapping[str, tuple[Task, dict[str, Json]]] = {
    "elites": (knobs_task(), {"kind": "elites", "size": 5}),
    "grid": (knobs_task(descriptors=axes()), {"kind": "grid"}),
    "cvt": (knobs_task(descriptors=axes()), {"kind": "cvt", "cells": 12}),
    "pareto": (knobs_task(objectives=2), {"kind": "pareto", "size": 6}),
}
LONG: Layer = {"budget": {"candidates": 50}}


def assert_sound(task: Task, config: RunConfig, store: StoreReader) -> None:
    """Fails unless the history is whole, true, and folds to what the reader says."""
    assert config.budget.candidates is not None
    assert_nothing_lost(events_of(store), candidates=config.budget.candidates)
    run = build_run(task, config, store, offline=True)  # type: ignore[arg-type]  # only read from
    assert asyncio.run(examine(run)).findings == ()
    history, population = RunHistory(store), run.state.population
    members = {i: set(population.archive(i).columns().ordinals.tolist()) for i in range(population.islands)}
    assert {island: set(known) for island, known in history.members().items()} == members
    best, told = population.best(), history.best()
    assert (best and best.ordinal) == (told and told.ordinal)
    counts = history.counts()
    assert counts.closed == run.state.closed
    assert counts.evaluations == run.state.evaluations


@pytest.mark.parametrize("driver", ["sequential", "pipeline:ordinal", "pipeline:arrival"])
@pytest.mark.parametrize("kind", ARCHIVES)
def test_archives(runs: SmallRuns, kind: str, driver: str) -> None:
    task, archive = ARCHIVES[kind]
    config = runs.settings("genetic", driver, LONG, {"population": {"archive": archive}})
    ended = evolve(task, config, evaluator=TracingEvaluator(task, jitter=1))
    assert_sound(task, config, ended.store)
    assert any(isinstance(event, Migrated) for event in events_of(ended.store))
    assert ended.best is not None
    assert ended.best.ordinal != 0, "nothing was found that is better than the initial program"


@pytest.mark.parametrize("policy", get_args(PolicyName))
@pytest.mark.parametrize("driver", ["sequential", "pipeline:ordinal"])
def test_parent_policies(runs: SmallRuns, policy: str, driver: str) -> None:
    task = knobs_task(descriptors=axes())
    choice: Layer = {"selection": {"policy": policy}, "population": {"archive": {"kind": "grid"}}}
    config = runs.settings("genetic", driver, choice)
    store = evolve(task, config).store
    assert_sound(task, config, store)
    assert_same_history(events_of(store), events_of(evolve(task, config).store))
    parents = {event.parents[0] for event in events_of(store) if isinstance(event, Chosen) and event.ordinal}
    assert (parents == {0}) == (policy == "best_of_n")


def test_kinds_of_archive_need_a_task_that_fits(runs: SmallRuns) -> None:
    for kind in ("grid", "cvt", "pareto"):
        with pytest.raises(ConfigError, match=kind):
            evolve(knobs_task(), _with(runs, kind))


def _with(runs: SmallRuns, kind: str) -> RunConfig:
    return runs.settings("genetic", "sequential", {"population": {"archive": {"kind": kind}}})


def test_every_island_gets_the_initial_program_and_only_its_own_children(runs: SmallRuns) -> None:
    store = evolve(knobs_task(), runs.settings("genetic", "sequential", LONG)).store
    chosen = {e.ordinal: e.island for e in events_of(store) if isinstance(e, Chosen)}
    placed = {e.ordinal: [i for i, _ in e.placements] for e in events_of(store) if isinstance(e, Placed)}
    assert placed[0] == [0, 1]
    assert all(islands == [chosen[n]] for n, islands in placed.items() if islands and n)


def test_a_migrant_is_a_parent_on_its_new_island(runs: SmallRuns) -> None:
    store = evolve(
        knobs_task(), runs.settings("genetic", "sequential", {"budget": {"candidates": 150}})
    ).store
    homes: dict[int, set[int]] = {}
    used = 0
    for event in events_of(store):
        match event:
            case Placed():
                homes[event.ordinal] = {island for island, placed in event.placements if placed.kept}
            case Migrated():
                for move in event.moves:
                    if move.placement.kept:
                        homes[move.ordinal] = {move.target}
            case Chosen(parents=(parent, *_)):
                assert event.island in homes[parent]
                used += event.island not in {0} and parent != 0
    assert used


@pytest.mark.parametrize("direction", ["maximize", "minimize"])
def test_minimised_objectives_are_turned_once(runs: SmallRuns, direction: Direction) -> None:
    task = knobs_task(direction=direction)
    ended = evolve(task, runs.settings("genetic", "sequential", LONG))
    other = evolve(knobs_task(), runs.settings("genetic", "sequential", LONG))
    assert ended.score is not None
    assert other.score is not None
    assert abs(ended.score) == abs(other.score)
    assert (ended.score > 0) == (direction == "minimize")


def test_failures_and_rejections_have_no_score_and_are_nobodys_parents(runs: SmallRuns) -> None:
    """All scores here are negative: a failure that counted as 0 would be the best of all."""
    store = evolve(knobs_task(), runs.settings("both", "pipeline:ordinal", LONG)).store
    history = RunHistory(store)
    bad = {n for n, c in history.candidates.items() if c.status in ("failed", "rejected")}
    assert {c.status for c in history.candidates.values()} == {"valid", "failed", "rejected"}
    for event in events_of(store):
        match event:
            case Chosen():
                assert not bad & {*event.parents, *event.inspirations}
            case Placed() if event.ordinal in bad:
                assert not event.placements
                assert not event.best
            case _:
                pass
    assert all(history.candidates[n].score is None for n in bad)
    best = history.best()
    assert best is not None
    assert best.score is not None
    assert best.score < 0.0 or math.copysign(1, best.score) < 0


def test_private_metrics_reach_no_prompt(runs: SmallRuns) -> None:
    store = evolve(knobs_task(), runs.settings("model", "sequential", LONG)).store
    hidden = set()
    sent = []
    for event in events_of(store):
        if isinstance(event, Evaluated) and event.outcome.result:
            hidden |= {PRIVATE, repr(event.outcome.result.private[PRIVATE])}
        if isinstance(event, Asked):
            sent += [store.text(digest) for digest in text_refs(event)]
            sent += [part for message in event.messages for part in message.parts if isinstance(part, str)]
    assert any("-3.25" in text for text in sent), "prompts do show programs and public metrics"
    telling = {text for text in hidden if len(text) > 5}
    assert len(telling) > 3
    assert not [text for text in sent if any(word in text for word in telling)]


def test_models_mend_an_initial_program_that_is_invalid(runs: SmallRuns) -> None:
    task = knobs_task(initial=knobs_program(99.0, 1.0).source)
    with pytest.raises(TaskError, match=r"initial program is not valid.*go up to"):
        evolve(task, runs.settings("model"))
    config = runs.settings("model", allow_invalid_seed=True)
    ended = evolve(task, config)
    chosen = [event for event in events_of(ended.store) if isinstance(event, Chosen)]
    assert chosen[1].operator == "fix"
    assert chosen[1].parents == (0,)
    assert {e.operator for e in chosen if e.ordinal} > {"fix"}
    assert ended.best is not None
    assert_sound(task, config, ended.store)


def test_genetic_operators_go_on_from_an_invalid_program_too(runs: SmallRuns) -> None:
    task = knobs_task(initial=knobs_program(6.5, 1.0).source)
    config = runs.settings(allow_invalid_seed=True)
    assert_sound(task, config, evolve(task, config).store)


def test_an_initial_program_that_is_turned_down_can_be_looked_at(runs: SmallRuns) -> None:
    task = knobs_task(initial=knobs_program(99.0, 1.0).source)
    store = MemoryStore()
    run = build_run(task, runs.settings(), store)
    with pytest.raises(TaskError):
        asyncio.run(live(run))
    assert [e.step for e in events_of(store)] == ["chosen", "patched", "started", "evaluated", "placed"]


def test_offspring_are_folded_as_they_were_counted(runs: SmallRuns) -> None:
    config = runs.settings("genetic", "pipeline:arrival", LONG)
    store = evolve(knobs_task(), config, evaluator=TracingEvaluator(knobs_task(), jitter=1)).store
    run = build_run(knobs_task(), config, store)
    fold(run)
    children = [e.parents[0] for e in events_of(store) if isinstance(e, Chosen) and e.parents]
    for ordinal in set(children):
        assert run.state.population.offspring(ordinal) == children.count(ordinal)


def test_approval_is_asked_before_each_evaluation(runs: SmallRuns) -> None:
    asked: list[int] = []

    async def approve(choice: object, proposal: object) -> bool:
        asked.append(len(asked))
        return len(asked) % 2 == 0

    ended = evolve(knobs_task(), runs.settings(), approve=approve)
    events = events_of(ended.store)
    refused = [e for e in events if e.step == "rejected" and e.reason == "not_approved"]
    evaluated = [e for e in events if isinstance(e, Evaluated) and e.ordinal]
    assert len(asked) == len(refused) + len(evaluated)
    assert len(refused) >= len(evaluated) - 1 > 3
    assert all(e.final for e in refused if e.step == "rejected")


def test_traits_are_inherited(runs: SmallRuns) -> None:
    events = events_of(evolve(knobs_task(), runs.settings()).store)
    traits = [event.traits for event in events if isinstance(event, Patched) and event.ordinal]
    assert all("step" in known for known in traits)
    assert len({known["step"] for known in traits}) > 5


def test_a_model_sees_what_was_wrong_with_its_last_attempt(runs: SmallRuns) -> None:
    wrong, right = diff_reply("x = 0.5").replace("# EVOLVE", "# EVOKE"), diff_reply("x = 0.75")
    lines = [{"reply": right, "match": "# EVOKE-BLOCK"}, {"reply": wrong}]
    runs.script.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    in_order: Layer = {"models": [f"scripted:{runs.script}"], "mutation": {"model": {"diff": 1.0}}}
    config = runs.settings("model", "sequential", in_order, {"budget": {"candidates": 1}})
    ended = evolve(knobs_task(), config)
    life = [stored.event.step for stored in ended.store.events(ordinal=1)]
    assert life == [
        "chosen", "asked", "replied", "rejected", "asked", "replied", "patched", "started", "evaluated",
        "placed",
    ]  # fmt: skip
    program = RunHistory(ended.store).program(1)
    assert "x = 0.75" in program.source
