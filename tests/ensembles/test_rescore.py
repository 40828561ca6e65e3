"""Rounds whose occupants keep their old scores, as in DEI."""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from speciate.engine import Evolution, RunConfig, build_run, examine
from speciate.engine.fold import fold
from speciate.engine.settings import Layer
from speciate.engine.views import assignment
from speciate.ensembles import (
    RedQueenRounds,
    evolve,
    evolve_ensemble,
    node_elites,
    node_folder,
    resume,
    resume_ensemble,
)
from speciate.errors import ConfigError
from speciate.mutation.display import standing
from speciate.records import RECEIVED, Chosen, EpochOpened, Evaluated, Event, Placed, RoundEnded, text_refs
from speciate.store import MemoryStore, RunHistory, open_reader
from speciate.testing.crashes import Moment, dies
from speciate.testing.histories import TracingEvaluator, assert_same_history, events_of
from speciate.testing.rounds import DRIVERS, TASK, rounds_of
from speciate.testing.runs import SmallRuns


def kept(runs: SmallRuns, driver: str = "sequential", *more: Layer, **ensemble: object) -> RunConfig:
    return rounds_of(runs, driver, *more, **({"rounds": 4, "rescore": False} | ensemble))


def examined(evolution: Evolution, store: MemoryStore | None = None) -> set[str]:
    run = build_run(TASK, evolution.config, store or evolution.store, offline=True)
    return {finding.check for finding in asyncio.run(examine(run, RedQueenRounds())).findings}


@pytest.mark.parametrize("driver", DRIVERS)
def test_nobody_is_evaluated_again_when_a_round_opens(runs: SmallRuns, driver: str) -> None:
    evolution = evolve(TASK, kept(runs, driver))
    events, history = events_of(evolution.store), RunHistory(evolution.store)
    assert [(e.kept, e.rescored) for e in events if isinstance(e, EpochOpened)] == [(True, ())] * 3
    scored = [e.ordinal for e in events if isinstance(e, Evaluated)]
    assert len(scored) == len(set(scored)) == 1 + 4 * 6
    assert not [e for e in events if isinstance(e, Placed) and e.part]
    assert history.counts().rescored == 0


def test_occupants_keep_the_score_of_the_company_in_which_they_were_evaluated(runs: SmallRuns) -> None:
    evolution = evolve(TASK, kept(runs))
    run = build_run(TASK, evolution.config, evolution.store)
    fold(run)
    history, epochs = RunHistory(evolution.store), set[int]()
    for member in run.state.population.occupants():
        epoch = history.candidates[member.ordinal].choice.epoch
        assert member.fitness == history.outcome(member.ordinal, epoch).fitness
        assert run.state.company_of(member.ordinal).epoch == epoch == history.scored_in(member.ordinal)
        assert run.standing(member.ordinal).outcome.fitness == member.fitness
        epochs.add(epoch)
    assert len(epochs) > 1


def test_newcomers_compete_with_old_scores_as_they_stand(runs: SmallRuns) -> None:
    evolution = evolve(TASK, kept(runs, iterations=20))
    history = RunHistory(evolution.store)
    displaced = [
        (history.score(event.ordinal), history.score(old), history.scored_in(old) != event.epoch)
        for event in events_of(evolution.store)
        if isinstance(event, Placed)
        for _, placement in event.placements
        for old in placement.evicted
    ]
    assert any(earlier for _, _, earlier in displaced)
    assert all(new is not None and old is not None and new > old for new, old, _ in displaced)


def test_the_company_grows_all_the_same(runs: SmallRuns) -> None:
    evolution = evolve(TASK, kept(runs))
    scored = {
        e.epoch: e.part for e in events_of(evolution.store) if isinstance(e, Evaluated) and not e.cached
    }
    assert len(set(scored.values())) == 4


@pytest.mark.parametrize("driver", DRIVERS)
def test_the_champion_is_the_best_by_the_scores_as_they_stand_and_says_of_which_round_that_is(
    runs: SmallRuns, driver: str
) -> None:
    history = RunHistory(evolve(TASK, kept(runs, driver, rounds=6, iterations=3)).store)
    for end in history.rounds:
        best = history.best(end.epoch)
        assert best is not None
        assert end.champion == best.ordinal
        scored = history.scored_in(best.ordinal, end.epoch)
        assert scored == best.choice.epoch
        assert end.fitness == best.score_in(scored)
        assert end.scored_in == (None if scored == end.epoch else scored)
    if driver != "pipeline:arrival":  # there it depends on who came first
        assert any(end.scored_in is not None for end in history.rounds)


def test_a_reader_sees_the_archives_that_the_run_has(runs: SmallRuns) -> None:
    evolution = evolve(TASK, kept(runs))
    run = build_run(TASK, evolution.config, evolution.store)
    history, growing = RunHistory(evolution.store), MemoryStore()
    for event in events_of(evolution.store):
        run.state.apply(event)
        _append(growing, evolution, event)
        if isinstance(event, EpochOpened | RoundEnded):
            seen = {o for members in RunHistory(growing).members().values() for o in members}
            assert seen == {member.ordinal for member in run.state.population.occupants()}
    best, told = run.state.population.best(), history.best()
    assert best is not None
    assert told is not None
    assert (best.ordinal, best.fitness[0]) == (told.ordinal, history.score(told.ordinal))
    assert history.best(before=len(history.candidates)) == told


def _append(store: MemoryStore, evolution: Evolution, event: Event) -> None:
    asyncio.run(store.append([event], {d: evolution.store.text(d) for d in text_refs(event)}))


def test_a_merger_gets_the_occupants_of_all_rounds(runs: SmallRuns) -> None:
    evolution = evolve(TASK, kept(runs))
    history = RunHistory(evolution.store)
    elites = node_elites("n1", history).elites
    assert {elite.ordinal for elite in elites} == {o for m in history.members().values() for o in m}
    assert len({history.candidates[elite.ordinal].choice.epoch for elite in elites}) > 1


@pytest.mark.parametrize("driver", DRIVERS)
def test_the_doctor_decides_rounds_with_old_scores_again(runs: SmallRuns, driver: str) -> None:
    assert examined(evolve(TASK, kept(runs, driver))) == set()


@pytest.mark.parametrize("forged", ["scored again", "another round's score"])
def test_the_doctor_finds_what_was_made_up(runs: SmallRuns, forged: str) -> None:
    evolution, store = evolve(TASK, kept(runs)), MemoryStore()
    for event in events_of(evolution.store):
        if isinstance(event, EpochOpened) and forged == "scored again":
            event = replace(event, kept=False)
        if isinstance(event, RoundEnded) and forged == "another round's score":
            event = replace(event, scored_in=7)
        _append(store, evolution, event)
    assert examined(evolution, store) & {"epoch", "round"}


def test_archives_of_a_round_cannot_keep_scores(runs: SmallRuns) -> None:
    with pytest.raises(ConfigError, match=r"ensemble\.rescore"):
        evolve(TASK, kept(runs, archives="round"))


MOMENTS = {
    "champion not written": Moment("round_ended", 1),
    "round ended": Moment("round_ended", 2, "written"),
    "epoch mid-commit": Moment("epoch_opened", 1, "writing"),
    "epoch opened": Moment("epoch_opened", 2, "written"),
    "first of a later round chosen": Moment("chosen", 8, "written"),
    "evaluated in a later round": Moment("evaluated", 15, "written"),
    "placed in a later round": Moment("placed", 16, "writing"),
}


@pytest.mark.parametrize("moment", MOMENTS.values(), ids=MOMENTS.keys())
@pytest.mark.parametrize("driver", ["sequential", "pipeline:ordinal"])
def test_killed_at_any_moment_it_goes_on_to_the_same_history(
    runs: SmallRuns, tmp_path: Path, driver: str, moment: Moment
) -> None:
    config, folder, log = kept(runs, driver), tmp_path / "run", tmp_path / "log"
    evaluator = TracingEvaluator(TASK, log=log)
    assert dies(
        lambda reaper: evolve(TASK, config, folder=folder, observers=[reaper], evaluator=evaluator), moment
    )
    resume(folder, task=TASK, evaluator=TracingEvaluator(TASK, log=log))
    assert_same_history(events_of(folder), events_of(evolve(TASK, config).store))


def test_settings_may_change_from_round_to_round(runs: SmallRuns, tmp_path: Path) -> None:
    """Two rounds with old scores, then one in which all are scored again, then one more with old scores."""
    folder = tmp_path / "run"
    evolve(TASK, kept(runs, rounds=2), folder=folder)
    for rounds, rescore in ((3, True), (4, False)):
        wanted = kept(runs, rounds=rounds, rescore=rescore)
        resume(folder, task=TASK, overrides=partial(_other, wanted))
    events = events_of(folder)
    assert [e.kept for e in events if isinstance(e, EpochOpened)] == [True, False, True]
    again = {e.ordinal for e in events if isinstance(e, Placed) and e.part}
    assert again == {
        e.ordinal for e in events if isinstance(e, Evaluated) and e.epoch == 2 and e.ordinal <= 12
    }
    with closing(open_reader(folder)) as reader:
        history = RunHistory(reader)
        stands = {history.scored_in(o) for members in history.members().values() for o in members}
    assert stands <= {2, 3}


def _other(config: RunConfig, _: RunConfig) -> RunConfig:
    return config


def test_a_parent_with_an_old_score_is_shown_as_such(runs: SmallRuns) -> None:
    """Whoever is asked to change a program is not told that its score is of the present company."""
    evolution = evolve(TASK, kept(runs))
    run = build_run(TASK, evolution.config, evolution.store)
    shown = Counter[bool]()
    for event in events_of(evolution.store):
        run.state.apply(event)
        if isinstance(event, Chosen) and not event.choice.planted:
            for parent in assignment(run, event.choice, ()).parents:
                old = RunHistory(evolution.store).candidates[parent.ordinal].choice.epoch < event.epoch
                words = standing(parent, TASK)
                assert parent.earlier == old == ("in an earlier round, in other company" in words)
                shown[old] += 1
    assert shown[True] > 0
    assert shown[False] > 0


NODES: Layer = {str(number): {"name": name} for number, name in enumerate("abc")}
ENSEMBLE_MOMENTS = [
    Moment("epoch_opened", 2, "written"),
    Moment("received", 3),
    Moment("drained", 2, "written"),
    Moment("placed", 40, "written"),
]


@pytest.mark.parametrize("moment", ENSEMBLE_MOMENTS, ids=str)
def test_an_ensemble_with_old_scores_is_killed_and_goes_on(
    runs: SmallRuns, tmp_path: Path, moment: Moment
) -> None:
    config, folder = kept(runs, rounds=3, nodes=NODES), tmp_path / "ensemble"
    assert dies(lambda reaper: evolve_ensemble(TASK, config, folder=folder, watch=lambda _: [reaper]), moment)
    resume_ensemble(folder, task=TASK)
    for node in evolve_ensemble(TASK, config).nodes:
        assert node.evolution is not None, node.error
        events = events_of(node_folder(folder, node.name))
        assert_same_history(events, events_of(node.evolution.store))
        assert examined(node.evolution) == set()
        assert [e.rescored for e in events if isinstance(e, EpochOpened)] == [()] * 2
        assert max(Counter(e.ordinal for e in events if isinstance(e, Evaluated)).values()) == 1


def test_champions_of_others_are_scored_in_the_company_they_come_into(runs: SmallRuns) -> None:
    for node in evolve_ensemble(TASK, kept(runs, rounds=3, nodes=NODES)).nodes:
        assert node.evolution is not None, node.error
        history = RunHistory(node.evolution.store)
        guests = [c for c in history.candidates.values() if c.choice.operator == RECEIVED]
        assert guests
        assert all(history.scored_in(guest.ordinal) in (guest.choice.epoch, None) for guest in guests)
        assert {guest.choice.epoch for guest in guests} == {1, 2}
