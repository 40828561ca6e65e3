"""Rounds of one node: champions, whom the next round meets, and what is scored again."""

from __future__ import annotations

import asyncio
import os
import signal
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from typing_extensions import override

from speciate.engine import Evolution, RunConfig, build_run, examine
from speciate.engine import evolve as evolve_without_rounds
from speciate.engine.settings import Layer
from speciate.ensembles import RedQueenRounds, evolve, resume
from speciate.errors import ConfigError
from speciate.records import (
    Chosen,
    Context,
    EpochOpened,
    Evaluated,
    Outcome,
    Placed,
    Program,
    RoundEnded,
    text_refs,
)
from speciate.store import MemoryStore, RunHistory
from speciate.testing.histories import TracingEvaluator, assert_same_history, events_of
from speciate.testing.knobs import axes, knobs_task
from speciate.testing.rounds import DRIVERS, RIVALS, TASK, rounds_of
from speciate.testing.runs import SmallRuns


def rounds(runs: SmallRuns, driver: str = "sequential", *more: Layer, **ensemble: object) -> RunConfig:
    return rounds_of(runs, driver, *more, **({"rounds": 3} | ensemble))


def ends(evolution: Evolution) -> list[RoundEnded]:
    return [event for event in events_of(evolution.store) if isinstance(event, RoundEnded)]


@pytest.mark.parametrize("driver", DRIVERS)
def test_each_round_proposes_its_candidates_and_ends_in_a_champion(runs: SmallRuns, driver: str) -> None:
    evolution = evolve(TASK, rounds(runs, driver))
    assert evolution.stop_reason == "rounds"
    assert [(end.round, end.epoch, end.reason) for end in ends(evolution)] == [
        (number, number, "iterations") for number in range(3)
    ]
    proposed = Counter(
        event.epoch
        for event in events_of(evolution.store)
        if isinstance(event, Chosen) and not event.choice.planted
    )
    assert proposed == {0: 6, 1: 6, 2: 6}


def test_the_champion_is_the_best_of_its_round(runs: SmallRuns) -> None:
    evolution = evolve(TASK, rounds(runs))
    history = RunHistory(evolution.store)
    assert history.rounds == ends(evolution)
    for end in history.rounds:
        best = history.best(end.epoch)
        assert best is not None
        assert (end.champion, end.fitness) == (best.ordinal, best.score_in(end.epoch))


def opponents_by_epoch(evolution: Evolution) -> list[list[str]]:
    run = build_run(TASK, evolution.config, evolution.store)
    companies = []
    for event in events_of(evolution.store):
        run.state.apply(event)
        if isinstance(event, EpochOpened):
            companies.append([program.hash for program in run.state.context.opponents])
    return companies


def champions(evolution: Evolution) -> list[str]:
    history = RunHistory(evolution.store)
    return [history.program(end.champion).hash for end in history.rounds if end.champion is not None]


def test_champions_join_the_opponents_of_the_rounds_after(runs: SmallRuns) -> None:
    evolution = evolve(TASK, rounds(runs))
    own, won = [program.hash for program in RIVALS], champions(evolution)
    assert opponents_by_epoch(evolution) == [own + won[:1], own + won[:2]]


def test_only_the_last_champions_join_and_never_too_many(runs: SmallRuns) -> None:
    own = [program.hash for program in RIVALS]
    last_one = evolve(TASK, rounds(runs, rounds=4, opponents={"champions": 1}))
    assert opponents_by_epoch(last_one) == [[*own, won] for won in champions(last_one)[:3]]
    at_most_four = evolve(TASK, rounds(runs, rounds=5, opponents={"max": 4}))
    won = champions(at_most_four)
    assert opponents_by_epoch(at_most_four) == [own + won[:1], own + won[:2], own + won[1:3], own + won[2:4]]


def test_a_full_company_without_champions_is_refused(runs: SmallRuns) -> None:
    with pytest.raises(ConfigError, match="no champion could join"):
        evolve(TASK, rounds(runs, opponents={"max": 2}))


def test_persistent_archives_score_their_occupants_again(runs: SmallRuns) -> None:
    evolution = evolve(TASK, rounds(runs))
    history = RunHistory(evolution.store)
    lived = {ordinal for members in history.members(0).values() for ordinal in members}
    again = {e.ordinal for e in events_of(evolution.store) if isinstance(e, Placed) and e.part == "1"}
    assert again == lived | {0}


def test_a_run_that_is_interrupted_while_archives_are_scored_again_stops_there_and_goes_on(
    runs: SmallRuns, tmp_path: Path
) -> None:
    scored_again: list[str] = []

    class Interrupter(TracingEvaluator):
        """Presses Ctrl-C while the second occupant is scored again."""

        @override
        async def evaluate(self, program: Program, context: Context) -> Outcome:
            if len(context.opponents) > len(RIVALS):
                scored_again.append(program.hash)
                if len(scored_again) == 2:
                    os.kill(os.getpid(), signal.SIGINT)
                    await asyncio.sleep(0.05)
            return await super().evaluate(program, context)

    config, folder = rounds(runs), tmp_path / "run"
    evaluator = Interrupter(TASK)
    stopped = evolve(TASK, config, folder=folder, evaluator=evaluator, signals=True)
    assert stopped.stop_reason == "interrupted"
    assert len(scored_again) <= 1 + evaluator.slots  # those that had begun, and no more
    assert [type(event) for event in events_of(folder)].count(RoundEnded) == 1
    assert resume(folder, task=TASK).stop_reason == "rounds"
    assert_same_history(events_of(folder), events_of(evolve(TASK, config).store))


def test_archives_of_a_round_begin_with_what_was_planted_and_past_champions(runs: SmallRuns) -> None:
    evolution = evolve(TASK, rounds(runs, archives="round"))
    planted = {
        event.ordinal
        for event in events_of(evolution.store)
        if isinstance(event, Chosen) and event.choice.planted
    }
    assert planted == {0, 1, 2}
    programs = RunHistory(evolution.store)
    assert {programs.program(1).hash, programs.program(2).hash} == {rival.hash for rival in RIVALS}
    first, second = (end.champion for end in ends(evolution)[:2])
    again = {
        number: {e.ordinal for e in events_of(evolution.store) if isinstance(e, Placed) and e.part == number}
        for number in "12"
    }
    assert again == {"1": planted | {first}, "2": planted | {first, second}}


def test_planted_opponents_are_not_counted_as_proposed(runs: SmallRuns) -> None:
    evolution = evolve(TASK, rounds(runs, archives="round"))
    history = RunHistory(evolution.store)
    assert history.counts().proposed == 18
    assert set(history.proposers()) == {"genetic"}


def test_an_opponent_that_is_the_initial_program_is_not_planted_twice(runs: SmallRuns) -> None:
    task = replace(TASK, initial=Program.of({"initial.py": RIVALS[0].source}))
    evolution = evolve(task, rounds(runs, archives="round"))
    chosen = [event for event in events_of(evolution.store) if isinstance(event, Chosen)]
    assert sum(event.choice.planted for event in chosen) == 2


@pytest.mark.parametrize(
    ("children", "archives", "proposed"), [(1, "persistent", 3), (2, "persistent", 6), (1, "round", 3)]
)
def test_a_round_whose_best_is_good_enough_is_skipped_after_its_first_iteration(
    runs: SmallRuns, children: int, archives: str, proposed: int
) -> None:
    evolution = evolve(TASK, rounds(runs, skip=-1000.0, children=children, archives=archives))
    assert [end.reason for end in ends(evolution)] == ["skip"] * 3
    assert RunHistory(evolution.store).counts().proposed == proposed
    run = build_run(TASK, evolution.config, evolution.store, offline=True)
    assert asyncio.run(examine(run, RedQueenRounds())).findings == ()


def test_the_threshold_of_skipping_is_in_the_direction_of_the_objective(runs: SmallRuns) -> None:
    task = knobs_task(direction="minimize")
    skipped = evolve(
        task, rounds(runs, "sequential", {"population": {"archive": {"kind": "elites"}}}, skip=1e9)
    )
    assert [end.reason for end in ends(skipped)] == ["skip"] * 3


def test_without_company_nobody_is_scored_again(runs: SmallRuns) -> None:
    evolution = evolve(knobs_task(descriptors=axes(), opponents=RIVALS), rounds(runs))
    assert evolution.stop_reason == "rounds"
    assert len(ends(evolution)) == 3
    assert not [e for e in events_of(evolution.store) if isinstance(e, EpochOpened)]
    assert RunHistory(evolution.store).counts().rescored == 0


def test_several_children_an_iteration(runs: SmallRuns) -> None:
    evolution = evolve(TASK, rounds(runs, rounds=2, children=3))
    assert RunHistory(evolution.store).counts().proposed == 2 * 6 * 3


def test_the_engine_alone_refuses_settings_that_want_rounds(runs: SmallRuns) -> None:
    with pytest.raises(ConfigError, match="rounds"):
        evolve_without_rounds(TASK, rounds(runs))


@pytest.mark.parametrize("driver", DRIVERS)
@pytest.mark.parametrize("archives", ["round", "persistent"])
def test_the_doctor_decides_rounds_again(runs: SmallRuns, driver: str, archives: str) -> None:
    evolution = evolve(TASK, rounds(runs, driver, archives=archives))
    run = build_run(TASK, evolution.config, evolution.store, offline=True)
    diagnosis = asyncio.run(examine(run, RedQueenRounds()))
    assert diagnosis.findings == ()


def test_the_doctor_finds_a_false_champion(runs: SmallRuns) -> None:
    evolution = evolve(TASK, rounds(runs))
    forged = MemoryStore()
    for event in events_of(evolution.store):
        if isinstance(event, RoundEnded) and event.round == 0:
            event = replace(event, champion=0 if event.champion else 1)
        asyncio.run(forged.append([event], {d: evolution.store.text(d) for d in text_refs(event)}))
    run = build_run(TASK, evolution.config, forged, offline=True)
    found = asyncio.run(examine(run, RedQueenRounds())).findings
    assert {finding.check for finding in found} >= {"round", "epoch"}


@pytest.mark.parametrize("driver", ["sequential", "pipeline:ordinal"])
def test_the_same_seed_plays_the_same_rounds(runs: SmallRuns, driver: str) -> None:
    first, second = (evolve(TASK, rounds(runs, driver)) for _ in range(2))
    assert_same_history(events_of(first.store), events_of(second.store))


def test_a_champion_of_two_rounds_is_there_twice(runs: SmallRuns) -> None:
    evolution = evolve(TASK, rounds(runs, rounds=10, skip=-1000.0))
    own, won = [program.hash for program in RIVALS], champions(evolution)
    assert len(set(won)) < len(won)
    assert opponents_by_epoch(evolution)[-1] == own + won[:-1]


def test_scores_of_a_round_are_of_its_company(runs: SmallRuns) -> None:
    evolution = evolve(TASK, rounds(runs))
    scored = {
        e.epoch: e.part for e in events_of(evolution.store) if isinstance(e, Evaluated) and not e.cached
    }
    assert len(set(scored.values())) == 3
