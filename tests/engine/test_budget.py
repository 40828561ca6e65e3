"""Every cap is kept, named, counted over all sessions, and can be raised."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from speciate.engine import Evolution, RunConfig, build_run, evolve, resume
from speciate.engine.fold import fold
from speciate.engine.settings import Layer, compose
from speciate.errors import ConfigError
from speciate.records import Asked, Evaluated, Event, Replied, Usage
from speciate.store import MemoryStore, open_store
from speciate.tasks import Task
from speciate.testing.crashes import Moment, dies
from speciate.testing.histories import TracingEvaluator, assert_same_history, events_of
from speciate.testing.knobs import knobs_task
from speciate.testing.runs import SmallRuns

TASK = knobs_task()
DRIVERS = pytest.mark.parametrize("driver", ["sequential", "pipeline:ordinal", "pipeline:arrival"])
PRICE: Layer = {"input": 20.0, "output": 50.0}


def spent(events: list[Event]) -> Usage:
    return sum((event.usage for event in events if isinstance(event, Replied)), Usage())


def evaluations(events: list[Event]) -> int:
    return sum(event.outcome.evaluations for event in events if isinstance(event, Evaluated))


def capped(runs: SmallRuns, driver: str, caps: Layer, proposers: str = "model") -> RunConfig:
    priced: Layer = {
        "llm": {"prices": {runs.model: dict(PRICE)}},
        "sampling": {"max_tokens": 200},
        "attempts": {"patch": 2, "resamples": 2},
    }
    return runs.settings(proposers, driver, priced, {"budget": {"candidates": 500, **caps}})


def raised(folder: Path, caps: Layer, evaluator: TracingEvaluator | None = None) -> Evolution:
    def more(config: RunConfig) -> RunConfig:
        return compose([{"budget": dict(caps)}], base=config)

    return resume(folder, task=TASK, overrides=more, evaluator=evaluator)


@DRIVERS
def test_candidates(runs: SmallRuns, driver: str) -> None:
    evolution = evolve(TASK, runs.settings("genetic", driver, {"budget": {"candidates": 7}}))
    assert evolution.stop_reason == "candidates"
    assert max(event.ordinal for event in events_of(evolution.store)) == 7


def test_no_candidates_at_all_still_scores_the_initial_program(runs: SmallRuns) -> None:
    evolution = evolve(TASK, runs.settings("genetic", "sequential", {"budget": {"candidates": 0}}))
    assert evolution.stop_reason == "candidates"
    assert evolution.best is not None
    assert evolution.best.ordinal == 0


@DRIVERS
@pytest.mark.parametrize("repeats", [1, 3])
def test_evaluations(runs: SmallRuns, driver: str, repeats: int) -> None:
    task = _repeated(repeats)
    config = runs.settings("genetic", driver, {"budget": {"candidates": 500, "evaluations": 17}})
    evolution = evolve(task, config, evaluator=TracingEvaluator(task, jitter=2))
    assert evolution.stop_reason == "evaluations"
    assert 17 - repeats < evaluations(events_of(evolution.store)) <= 17


def test_evaluations_in_ordinal_order_do_not_depend_on_timing(runs: SmallRuns) -> None:
    config = runs.settings("both", "pipeline:ordinal", {"budget": {"candidates": 500, "evaluations": 17}})
    one, other = (evolve(TASK, config, evaluator=TracingEvaluator(TASK, jitter=n)) for n in (1, 2))
    assert_same_history(events_of(one.store), events_of(other.store))


def _repeated(repeats: int) -> Task:
    evaluation = TASK.spec.evaluation.model_copy(update={"repeats": repeats})
    return replace(TASK, spec=TASK.spec.model_copy(update={"evaluation": evaluation}))


@DRIVERS
@pytest.mark.parametrize(("cap", "most"), [("calls", 23), ("tokens", 9000), ("cost", 0.25)])
def test_what_models_may_use(runs: SmallRuns, tmp_path: Path, driver: str, cap: str, most: float) -> None:
    folder = tmp_path / "run"
    ended = evolve(TASK, capped(runs, driver, {cap: most}), folder=folder)
    assert ended.stop_reason == cap
    used = _amount(spent(events_of(folder)), cap)
    assert 0.5 * most < used <= most
    again = raised(folder, {})
    assert again.stop_reason == cap
    assert _amount(spent(events_of(folder)), cap) == used  # nothing more was spent
    more = raised(folder, {cap: 2 * most})
    assert more.stop_reason == cap
    assert used < _amount(spent(events_of(folder)), cap) <= 2 * most


def _amount(usage: Usage, cap: str) -> float:
    assert usage.cost is not None
    return {
        "calls": usage.calls,
        "tokens": usage.input_tokens + usage.output_tokens,
        "cost": usage.cost,
    }[cap]


def test_spend_of_rejected_proposals_counts(runs: SmallRuns) -> None:
    runs.script.write_text('{"reply": "I would rather not."}\n')
    ended = evolve(TASK, capped(runs, "sequential", {"calls": 9}))
    assert ended.stop_reason == "calls"
    events = events_of(ended.store)
    assert not any(event.step == "patched" for event in events if event.ordinal)
    assert spent(events).calls == 9


def test_a_failed_call_counts_every_try(runs: SmallRuns) -> None:
    runs.script.write_text('{"error": "unavailable", "reply": "busy"}\n')
    ended = evolve(TASK, capped(runs, "sequential", {"calls": 9}))
    assert ended.stop_reason == "calls"
    assert 8 <= spent(events_of(ended.store)).calls <= 9


@DRIVERS
def test_seconds_count_over_all_sessions(runs: SmallRuns, tmp_path: Path, driver: str) -> None:
    folder = tmp_path / "run"
    config = capped(runs, driver, {"seconds": 0.3}, "genetic")
    ended = evolve(TASK, config, folder=folder, evaluator=TracingEvaluator(TASK, jitter=1))
    assert ended.stop_reason == "seconds"
    known = len(events_of(folder))
    again = raised(folder, {}, TracingEvaluator(TASK, jitter=1))
    assert again.stop_reason == "seconds"
    assert not any(event.step == "chosen" for event in events_of(folder)[known:])
    raised(folder, {"seconds": 60, "candidates": len(events_of(folder))})
    assert len(events_of(folder)) > known


@DRIVERS
def test_success_ends_the_run(runs: SmallRuns, driver: str) -> None:
    task = knobs_task(success=-10.0)
    config = runs.settings("genetic", driver, {"budget": {"candidates": 500}})
    ended = evolve(task, config)
    assert ended.stop_reason == "success"
    assert ended.score is not None
    assert ended.score >= -10.0
    assert evolve(task, config.model_copy(update={"success": False})).stop_reason == "candidates"


def test_a_cap_on_cost_needs_prices(runs: SmallRuns) -> None:
    unpriced: Layer = {"models": ["command:cat"], "budget": {"candidates": 1, "cost": 1.0}}
    with pytest.raises(ConfigError, match=r"price of command:cat"):
        evolve(TASK, runs.settings("model", "sequential", unpriced))
    allowed: Layer = {"budget": {"allow_unknown_price": True}}
    assert evolve(TASK, runs.settings("model", "sequential", unpriced, allowed)).stop_reason == "candidates"


def test_known_costs_are_not_forgotten_beside_unknown_ones(runs: SmallRuns, tmp_path: Path) -> None:
    folder, most = tmp_path / "run", 0.2
    mixed: Layer = {"models": [runs.model, "command:cat"], "budget": {"allow_unknown_price": True}}
    config = compose([mixed], base=capped(runs, "sequential", {"cost": most}))
    assert evolve(TASK, config, folder=folder).stop_reason == "cost"
    before = len(events_of(folder))
    assert raised(folder, {}).stop_reason == "cost"
    news = [e for e in events_of(folder)[before:] if isinstance(e, Replied) and e.model == runs.model]
    assert news == []


def test_a_call_that_was_lost_in_a_crash_counts_at_its_worst(runs: SmallRuns, tmp_path: Path) -> None:
    folder, config = tmp_path / "run", capped(runs, "sequential", {"calls": 40})
    assert dies(
        lambda reaper: evolve(TASK, config, folder=folder, observers=[reaper]),
        Moment("asked", 5, "written"),
    )
    store = open_store(folder)
    run = build_run(TASK, config, store)
    fold(run)
    answered = spent(events_of(store))
    lost = [e for e in events_of(store) if isinstance(e, Asked)][-1]
    assert run.ledger.uncertain.calls == 1
    assert run.ledger.uncertain.output_tokens == lost.sampling.max_tokens
    assert run.ledger.spent.calls == answered.calls + 1
    assert run.ledger.spent.cost is not None
    assert answered.cost is not None
    assert run.ledger.spent.cost > answered.cost
    store.close()


def test_a_session_with_a_cap_that_is_used_up_asks_nobody(runs: SmallRuns) -> None:
    ended = evolve(TASK, capped(runs, "sequential", {"calls": 0}))
    assert ended.stop_reason == "calls"
    assert isinstance(ended.store, MemoryStore)
    assert not any(event.step == "asked" for event in events_of(ended.store))
