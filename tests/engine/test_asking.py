"""Calls that candidates make while they are evaluated: paid by the run, recorded, never made twice."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from speciate.engine import Observer, RunConfig, evolve, resume
from speciate.engine.settings import compose
from speciate.errors import BudgetExceededError
from speciate.records import Asked, Event, Patched, Replied, queried
from speciate.store import open_reader
from speciate.store.reader import RunHistory
from speciate.testing.agents import CASES, REPEATS, write_agent_task
from speciate.testing.crashes import Moment, dies
from speciate.testing.histories import assert_same_history, events_of

MODEL = "simulated:careful"
FIRST = CASES * REPEATS
"""Calls of the initial program: one a case and repeat."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_agent_task(tmp_path / "task", model=MODEL)


def settings(**more: object) -> RunConfig:
    small = {"seed": 5, "budget": {"candidates": 3}, "pipeline": {"in_flight": 2}, "evaluation": {"slots": 2}}
    once = {"llm": {"retry": {"attempts": 1}}}  # near a cap fewer tries are reserved, and that is recorded
    return compose([small, once, more])  # type: ignore[list-item]  # nested settings as a test writes them


def queries(events: list[Event]) -> list[Asked | Replied]:
    return [event for event in events if isinstance(event, Asked | Replied) and queried(event)]


def test_the_run_pays_for_what_candidates_ask_and_no_proposer_does(folder: Path, tmp_path: Path) -> None:
    evolve(folder, settings(), folder=tmp_path / "run")
    history = RunHistory(open_reader(tmp_path / "run"))
    counts = history.counts()
    replies = [event for event in queries(events_of(tmp_path / "run")) if isinstance(event, Replied)]
    assert counts.usage == counts.queries
    assert counts.queries.calls == len(replies) >= FIRST
    assert counts.usage.cost is not None
    assert counts.usage.cost > 0
    assert history.candidates[0].queries.calls == FIRST
    assert history.candidates[0].usage.calls == 0
    assert {tally.usage.calls for tally in history.proposers().values()} == {0}


def test_equal_runs_have_equal_histories(folder: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        evolve(folder, settings(), folder=tmp_path / name)
    assert_same_history(events_of(tmp_path / "one"), events_of(tmp_path / "two"))


@pytest.mark.parametrize("cap", [2, FIRST + 2])
def test_a_cap_on_calls_holds_and_a_higher_one_goes_on(folder: Path, tmp_path: Path, cap: int) -> None:
    run = tmp_path / "run"
    capped = settings(budget={"candidates": 3, "calls": cap}, driver="sequential")
    if cap < FIRST:
        with pytest.raises(BudgetExceededError, match="the cap of 2 calls"):
            evolve(folder, capped, folder=run)
    else:
        assert evolve(folder, capped, folder=run).stop_reason == "calls"
    before = queries(events_of(run))
    assert len([event for event in before if isinstance(event, Replied)]) == cap

    def raised(config: RunConfig) -> RunConfig:
        return config.model_copy(update={"budget": config.budget.model_copy(update={"calls": None})})

    resume(run, overrides=raised)
    straight = tmp_path / "straight"
    evolve(folder, settings(driver="sequential"), folder=straight)
    assert_same_history(events_of(run), events_of(straight))


@pytest.mark.parametrize("phase", ["noted", "written"])
def test_a_reply_that_is_stored_is_never_asked_for_again(folder: Path, tmp_path: Path, phase: str) -> None:
    run, straight = tmp_path / "run", tmp_path / "straight"

    def begin(reaper: Observer) -> object:
        return evolve(folder, settings(), folder=run, observers=[reaper])

    assert dies(begin, Moment("replied", FIRST + 2, "noted" if phase == "noted" else "written"))
    resume(run)
    events = queries(events_of(run))
    assert max(Counter((e.ordinal, e.step, e.part) for e in events).values()) == 1
    evolve(folder, settings(), folder=straight)
    assert_same_history(events_of(run), events_of(straight))


def test_a_recording_of_everything_replays(folder: Path, tmp_path: Path) -> None:
    takes = tmp_path / "takes.jsonl"
    evolve(folder, settings(llm={"record": str(takes)}), folder=tmp_path / "asked")
    evolve(folder, settings(llm={"replay": str(takes)}), folder=tmp_path / "replayed")
    assert_same_history(events_of(tmp_path / "asked"), events_of(tmp_path / "replayed"))


def test_a_model_proposes_while_another_answers(folder: Path, tmp_path: Path) -> None:
    evolve(folder, settings(models=["simulated:bold"]), folder=tmp_path / "run")
    history = RunHistory(open_reader(tmp_path / "run"))
    proposer = history.proposers()["simulated:bold"]
    assert 0 < proposer.usage.calls < history.counts().usage.calls
    assert history.counts().usage.calls == proposer.usage.calls + history.counts().queries.calls
    patched = [event for event in events_of(tmp_path / "run") if isinstance(event, Patched)]
    assert patched
