"""Replies that nothing can be made of cost the attempts that are configured, and no waiting."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from speciate.engine import evolve
from speciate.reports import summarise
from speciate.store import RunHistory, open_reader
from speciate.testing.knobs import knobs_task
from speciate.testing.runs import SmallRuns

DRIVERS = ["sequential", "pipeline:ordinal", "pipeline:arrival"]


@pytest.mark.parametrize("driver", DRIVERS)
@pytest.mark.parametrize(("reply", "calls"), [("I would rather not.", 2 * 3), ("", 3)])
def test_five_unusable_replies_in_a_row_cost_their_attempts_and_no_sleep(
    runs: SmallRuns, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, driver: str, reply: str, calls: int
) -> None:
    slept: list[float] = []
    sleep = asyncio.sleep

    async def watched(seconds: float, result: None = None) -> None:
        task = asyncio.current_task()
        beats = task is not None and "_heartbeat" in repr(task.get_coro())
        if not beats:
            slept.append(seconds)
        await sleep(seconds, result)

    monkeypatch.setattr(asyncio, "sleep", watched)
    script = tmp_path / "words.toml"
    script.write_text(f'choose = "cycle"\n[[replies]]\nreply = "{reply}"\n')
    config = runs.settings(
        "model",
        driver,
        {"attempts": {"patch": 2, "resamples": 3}, "budget": {"candidates": 5}},
        models=[f"scripted:{script}"],
    )
    folder = tmp_path / "run"
    assert evolve(knobs_task(), config, folder=folder).stop_reason == "candidates"
    assert not any(slept)
    reader = open_reader(folder)
    counts = summarise(RunHistory(reader), folder=folder).counts
    reader.close()
    assert counts.usage.calls == 5 * calls  # there is nothing to mend in an empty reply
    assert sum(counts.rejected.values()) == 5
