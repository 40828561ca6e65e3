from __future__ import annotations

from pathlib import Path

import pytest

from speciate.cli.progress import StopNotice, progress_line
from speciate.cli.tally import Tally
from speciate.engine import BudgetConfig, RunConfig, evolve
from speciate.engine.settings import compose
from speciate.records import (
    EpochOpened,
    Evaluated,
    Failure,
    FailureKind,
    Objective,
    Outcome,
    Placed,
    RejectedEvent,
    Replied,
    Result,
    TextRef,
    Usage,
)
from speciate.store import RunHistory
from speciate.testing.command_line import write_task


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def _valid(ordinal: int, score: float, *, best: bool) -> list[Evaluated | Placed]:
    return [
        Evaluated(ordinal=ordinal, outcome=Outcome(result=Result((score,)))),
        Placed(ordinal=ordinal, best=best),
    ]


def _told(*events: Evaluated | Placed | RejectedEvent | Replied | EpochOpened) -> Tally:
    tally = Tally(Clock())
    for event in events:
        tally.on_event(event)
    return tally


def test_valid_rejected_and_failed_are_counted() -> None:
    failure = Outcome(failure=Failure(FailureKind.EXCEPTION, "x"))
    tally = _told(
        *_valid(0, 1.0, best=True),
        RejectedEvent(ordinal=1, at="propose", reason="x", message="", final=False),
        RejectedEvent(ordinal=1, at="propose", reason="x", message="", final=True),
        Placed(ordinal=1),
        Evaluated(ordinal=2, outcome=failure),
        Placed(ordinal=2),
    )
    assert (tally.closed, tally.valid, tally.rejected, tally.evaluations) == (3, 1, 1, 2)


def test_the_best_is_what_was_placed_as_the_best() -> None:
    tally = _told(*_valid(0, 1.0, best=True), *_valid(1, 3.0, best=True), *_valid(2, 2.0, best=False))
    assert (tally.best, tally.best_ordinal) == (3.0, 1)


def test_a_new_epoch_has_its_own_best_and_counts_nobody_twice() -> None:
    tally = _told(
        *_valid(0, 5.0, best=True),
        EpochOpened(ordinal=0, part="1", epoch=1, context=TextRef("0" * 40)),
        Evaluated(ordinal=0, epoch=1, outcome=Outcome(result=Result((2.0,)))),
        Placed(ordinal=0, part="1", epoch=1, best=True),
    )
    assert (tally.best, tally.closed, tally.valid) == (2.0, 1, 1)


def test_an_unknown_price_makes_the_cost_unknown() -> None:
    def replied(cost: float | None) -> Replied:
        usage = Usage(calls=1, input_tokens=10, output_tokens=5, cost=cost)
        return Replied(ordinal=1, text=TextRef("0" * 40), model="m", usage=usage)

    assert _told(replied(0.5), replied(0.25)).usage.cost == 0.75
    assert _told(replied(0.5), replied(None)).usage.cost is None


def test_the_nearest_cap_decides_how_much_is_spent() -> None:
    clock = Clock()
    tally = Tally(clock)
    for event in [*_valid(0, 1.0, best=True), *_valid(1, 1.0, best=False)]:
        tally.on_event(event)
    clock.now += 30
    assert tally.spent(BudgetConfig(candidates=10)) == 0.1
    assert tally.spent(BudgetConfig(candidates=10, seconds=60)) == 0.5
    assert tally.spent(BudgetConfig(candidates=10, seconds=10)) == 1.0
    assert tally.spent(BudgetConfig(candidates=None)) is None


def test_a_progress_line_tells_score_shares_and_budget() -> None:
    clock = Clock()
    tally = Tally(clock)
    for event in [*_valid(0, -4.0, best=True), *_valid(1, -2.5, best=True), Placed(ordinal=2)]:
        tally.on_event(event)
    clock.now += 75
    line = progress_line(tally, Objective("loss", "minimize"), RunConfig(budget=BudgetConfig(candidates=8)))
    assert line == "best 2.5 (#1)  valid 67%  rejected 0  0.0/s  $0.00  1:15  2/8 [##........] 25%"


def test_a_tally_of_a_history_equals_one_that_watched_it(tmp_path: Path) -> None:
    watching = Tally()
    config = compose([{"budget": {"candidates": 25}, "models": ["simulated:sloppy", "genetic"]}])
    evolution = evolve(write_task(tmp_path / "sum"), config, observers=[watching])
    later = Tally.after(RunHistory(evolution.store))
    assert later.closed == watching.closed == 26
    for name in ("valid", "rejected", "evaluations", "usage", "best", "best_ordinal"):
        assert getattr(later, name) == getattr(watching, name), name
    assert later.rate == 0.0  # nothing was done in this session
    assert later.seconds > 0


def test_ctrl_c_is_explained_once(capsys: pytest.CaptureFixture[str]) -> None:
    notice = StopNotice()
    notice.on_stop("interrupted")
    notice.on_stop("interrupted")
    assert capsys.readouterr().err.count("again: at once") == 1
