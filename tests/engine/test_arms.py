"""Bandits in whole runs: arms of every kind, islands with shares of their own, resumed with others."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from pathlib import Path

import pytest

from speciate.bandits import BanditKind
from speciate.engine import RunConfig, build_run, evolve, examine, resume
from speciate.engine.settings import Layer, compose
from speciate.errors import ConfigError
from speciate.records import ArmsChanged, Chosen, Event, Json, RejectedEvent
from speciate.store import open_store
from speciate.testing.crashes import Moment, dies
from speciate.testing.histories import TracingEvaluator, assert_nothing_lost, assert_same_history, events_of
from speciate.testing.knobs import diff_reply, knobs_task
from speciate.testing.runs import SmallRuns

TASK = knobs_task()
KINDS: list[BanditKind] = ["uniform", "ucb", "cost_ucb", "thompson", "exp3"]
ARMS = ["proposers", "operators", "pairs"]


def lived(config: RunConfig, jitter: int = 1) -> list[Event]:
    return events_of(evolve(TASK, config, evaluator=TracingEvaluator(TASK, jitter=jitter)).store)


def chosen(events: list[Event]) -> list[Chosen]:
    return [event for event in events if isinstance(event, Chosen) and event.operator != "initial"]


def arms(kind: str, arm: str, scale: str = "mad") -> Layer:
    return {"bandit": {"kind": kind, "arms": arm, "reward_scale": scale}, "budget": {"candidates": 40}}


@pytest.mark.parametrize("kind", KINDS)
def test_in_ordinal_order_timing_makes_no_difference(runs: SmallRuns, kind: str) -> None:
    config = runs.settings("both", "pipeline:ordinal", arms(kind, "pairs"))
    assert_same_history(lived(config), lived(config, jitter=2))


@pytest.mark.parametrize("arm", ARMS)
@pytest.mark.parametrize("kind", KINDS)
def test_its_choices_are_found_true(runs: SmallRuns, kind: str, arm: str) -> None:
    config = runs.settings("both", "pipeline:arrival", arms(kind, arm))
    ended = evolve(TASK, config, evaluator=TracingEvaluator(TASK, jitter=1))
    found = asyncio.run(examine(build_run(TASK, config, ended.store, offline=True)))
    assert found.findings == ()


def test_ucb_begins_with_each_pair_once(runs: SmallRuns) -> None:
    config = runs.settings("both", "sequential", arms("ucb", "pairs"))
    events = [event for event in chosen(lived(config)) if event.operator != "fix"]
    pairs = {(event.proposer, event.operator) for event in events}
    assert {operator for _, operator in pairs} == {"diff", "full", "crossover", "mutate"}
    first = [(event.proposer, event.operator) for event in events[: len(pairs)]]
    assert len(set(first)) == len(first) == 5


def test_operators_as_arms_belong_to_any_proposer_that_has_them(runs: SmallRuns) -> None:
    events = chosen(lived(runs.settings("both", "sequential", arms("uniform", "operators"))))
    crossing = {event.proposer for event in events if event.operator == "crossover"}
    assert len(crossing) == 2


def test_a_weight_for_no_arm_is_refused(runs: SmallRuns) -> None:
    with pytest.raises(ConfigError, match="did you mean 'genetic'"):
        lived(runs.settings("both", "sequential", {"bandit": {"weights": {"genetc": 1.0}}}))


def two_models(folder: Path, *, slow: float) -> tuple[str, str]:
    """A model that improves a little each time and takes its time, and one that answers at once in vain."""
    good, bad = diff_reply("x = x - (x - 1) * 0.02\ny = y + (2 - y) * 0.02"), diff_reply("x = x + 0.02")
    specs = []
    for name, reply, delay in (("good", good, slow), ("bad", bad, 0.0)):
        path = folder / f"{name}.jsonl"
        path.write_text(json.dumps({"reply": reply, "delay": delay}))
        specs.append(f"scripted:{path}?choose=cycle")
    return specs[0], specs[1]


def test_a_fast_bad_model_does_not_win_over_a_slow_good_one(runs: SmallRuns, tmp_path: Path) -> None:
    good, bad = two_models(tmp_path, slow=0.01)
    ucb: Layer = {
        "bandit": {"kind": "ucb", "coefficient": 0.3},
        "models": [good, bad],
        "mutation": {"model": {"diff": 1.0}},
        "selection": {"policy": "hill_climb"},
        "population": {"islands": 1},
        "novelty": {"fingerprint": False},
        "budget": {"candidates": 150},
    }
    events = chosen(lived(runs.settings("model", "pipeline:arrival", ucb), jitter=1))
    shares = Counter(event.proposer for event in events)
    assert shares[good] > 2 * shares[bad]


def islands(shares: list[dict[str, float]]) -> Layer:
    described: list[Json] = [{"proposers": dict[str, Json](share)} for share in shares]
    return {"population": {"islands": 2, "island": described}}


@pytest.mark.parametrize("arm", ARMS)
def test_an_island_has_proposers_of_its_own(runs: SmallRuns, arm: str) -> None:
    layer = islands([{"genetic": 1.0}, {runs.model: 3.0, "genetic": 1.0}])
    events = chosen(lived(runs.settings("both", "pipeline:ordinal", arms("ucb", arm), layer)))
    here = [Counter(event.proposer for event in events if event.island == island) for island in (0, 1)]
    assert set(here[0]) == {"genetic"}
    assert here[1][runs.model] > here[1]["genetic"] > 0


def test_an_island_with_unknown_proposers_is_refused(runs: SmallRuns) -> None:
    with pytest.raises(ConfigError, match=r"population\.island\.0\.proposers: .*did you mean 'genetic'"):
        lived(runs.settings("both", "sequential", islands([{"genetik": 1.0}])))


@pytest.mark.parametrize("driver", ["sequential", "pipeline:ordinal", "pipeline:arrival"])
@pytest.mark.parametrize("kind", ["ucb", "exp3", "thompson"])
def test_a_run_goes_on_with_other_proposers_and_remembers_the_old_ones(
    runs: SmallRuns, tmp_path: Path, kind: str, driver: str
) -> None:
    folder, config = tmp_path / "run", runs.settings("both", driver, arms(kind, "proposers"))
    moment = Moment("evaluated", 20, "written")
    assert dies(lambda reaper: evolve(TASK, config, folder=folder, observers=[reaper]), moment)
    other = two_models(tmp_path, slow=0.0)[0]
    changed = compose([{"models": ["genetic", other]}], base=config)
    resume(folder, task=TASK, overrides=lambda _: changed)
    more = compose([{"budget": {"candidates": 60}}], base=changed)
    resume(
        folder, task=TASK, overrides=lambda kept: compose([{"budget": more.budget.model_dump()}], base=kept)
    )
    events = events_of(folder)
    changes = [event for event in events if isinstance(event, ArmsChanged)]
    assert [change.arms for change in changes] == [("genetic", other)]
    since = events.index(changes[0])
    assert {event.proposer for event in chosen(events[since:])} == {"genetic", other}
    gone = [e for e in events if isinstance(e, RejectedEvent) and e.reason == "departed"]
    assert all(event.final for event in gone)
    assert_nothing_lost(events, candidates=60)
    store = open_store(folder)
    assert asyncio.run(examine(build_run(TASK, config, store, offline=True))).findings == ()
    store.close()


def test_other_models_with_the_same_operators_are_noted_too(runs: SmallRuns, tmp_path: Path) -> None:
    config, folder = runs.settings("model", "sequential", arms("ucb", "operators")), tmp_path / "run"
    evolve(TASK, config, folder=folder)
    changed = compose(
        [{"models": [two_models(tmp_path, slow=0.0)[0]], "budget": {"candidates": 60}}], base=config
    )
    resume(folder, task=TASK, overrides=lambda _: changed)
    (change,) = [event for event in events_of(folder) if isinstance(event, ArmsChanged)]
    assert set(change.arms) == {"diff", "full", "crossover"}
    assert change.proposers == changed.models
    store = open_store(folder)
    assert asyncio.run(examine(build_run(TASK, config, store, offline=True))).findings == ()
    store.close()


def test_with_the_same_arms_nothing_is_noted(runs: SmallRuns, tmp_path: Path) -> None:
    config = runs.settings("both", "sequential", arms("ucb", "pairs"))
    evolve(TASK, config, folder=tmp_path / "run")
    resume(tmp_path / "run", task=TASK)
    assert not any(isinstance(event, ArmsChanged) for event in events_of(tmp_path / "run"))
