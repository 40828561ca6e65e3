from __future__ import annotations

import asyncio
import json
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from speciate.engine import RunConfig, evolve, lifecycle
from speciate.records import Dollars, Patched, RejectedEvent, Replied, TextRef, Usage, text_hash
from speciate.reports import ReplyRow, make_report, most_replies, read_facts, unusable_replies
from speciate.store import RunHistory, open_reader
from speciate.testing.knobs import knobs_task, write_script
from speciate.testing.stories import Story


def replied(
    ordinal: int,
    attempt: int = 0,
    *,
    part: str = "propose",
    cost: Dollars | None = 0.5,
    error: str | None = None,
) -> Replied:
    usage = Usage(calls=1, cost=cost)
    text = TextRef(text_hash(""))
    return Replied(
        ordinal=ordinal,
        attempt=attempt,
        part=part,
        text=text,
        model="m",
        usage=usage,
        seconds=2.0,
        error=error,
    )


def refused(ordinal: int, attempt: int = 0, at: str = "propose") -> RejectedEvent:
    if at == "propose":
        return RejectedEvent(ordinal=ordinal, attempt=attempt, at="propose", reason="no_match", message="")
    return RejectedEvent(ordinal=ordinal, attempt=attempt, at="screen", reason="duplicate", message="")


def rows(*events: Replied | RejectedEvent | Patched, proposers: str = "iabb") -> list[ReplyRow]:
    story = Story().begin()
    for proposer in proposers:
        story.choose(proposer=proposer)
    return list(unusable_replies(story.history, events))


def test_replies_in_a_row_are_counted_over_attempts_and_candidates() -> None:
    (row,) = rows(
        replied(2), refused(2), replied(2, 1), refused(2, 1), replied(3), refused(3),
        replied(3, 1), Patched(ordinal=3, attempt=1, program=()),
    )  # fmt: skip
    assert (row.proposer, row.replies, row.unusable, row.reasons) == ("b", 4, 3, {"no_match": 3})
    assert (row.usage.cost, row.seconds) == (1.5, 6.0)
    assert row.longest is not None
    assert (row.longest.replies, row.longest.first, row.longest.last) == (3, 2, 3)
    assert (row.longest.usage.calls, row.longest.usage.cost, row.longest.seconds) == (3, 1.5, 6.0)


def test_a_program_that_could_be_read_ends_the_row_even_if_a_screen_refused_it() -> None:
    (row,) = rows(
        replied(2), refused(2), replied(2, 1), refused(2, 1, "screen"), replied(2, 2), refused(2, 2)
    )
    assert (row.unusable, row.longest.replies if row.longest else 0) == (2, 1)


def test_proposers_have_rows_of_their_own() -> None:
    first, second = rows(replied(1), replied(2), refused(1), refused(2))
    assert (first.proposer, second.proposer) == ("a", "b")


def test_judges_are_no_proposals_and_unknown_costs_stay_unknown() -> None:
    (row,) = rows(replied(2, cost=None), replied(2, part="judge"), refused(2))
    assert (row.usage.calls, row.usage.cost) == (1, None)


def test_what_no_model_proposed_is_left_out() -> None:
    assert rows(refused(1), refused(2)) == []


@pytest.fixture
def slept(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Seconds of every sleep that was asked for, but for the heartbeat beside the run; none is slept."""
    asked: list[float] = []
    really = asyncio.sleep

    async def sleep(seconds: float, result: object = None) -> object:
        if sys._getframe(1).f_globals["__name__"] == lifecycle.__name__:
            return await really(seconds, result)
        asked.extend([seconds] if seconds > 0 else [])  # of nothing, it only gives way to others
        return await really(0, result)

    monkeypatch.setattr(asyncio, "sleep", sleep)
    monkeypatch.setattr(time, "sleep", asked.append)
    return asked


def test_five_unusable_replies_in_a_row_cost_the_attempts_and_no_sleep_and_show_in_the_report(
    tmp_path: Path, slept: list[float]
) -> None:
    useful = tmp_path / "useful.jsonl"
    write_script(useful)
    script = tmp_path / "script.jsonl"
    bad = [json.dumps({"reply": "I would rather talk about the weather."}) for _ in range(5)]
    script.write_text("\n".join([*bad, *useful.read_text().splitlines()]) + "\n")
    config = RunConfig.model_validate(
        {
            "models": [f"scripted:{script}"],
            "driver": "sequential",
            "attempts": {"patch": 5, "resamples": 1},
            "budget": {"candidates": 3},
        }
    )
    evolve(knobs_task(), config, folder=tmp_path / "run")
    assert slept == []
    with closing(open_reader(tmp_path / "run")) as reader:
        history, facts = RunHistory(reader), read_facts(reader)
        first = history.candidates[1]
        assert most_replies(facts) == 5
        assert (first.status, first.usage.calls, len(first.rejections)) == ("rejected", 5, 5)
        (row,) = unusable_replies(history, history.events())
    assert row.longest is not None
    assert (row.longest.replies, row.longest.first, row.longest.last) == (5, 1, 1)
    written = make_report(tmp_path / "run")
    page = written.files[0].read_text()
    assert "let one candidate take at most 5 replies" in page
    assert written.report.replies == [row]
    assert "| 5 | 1 | $0.00 |" in page
