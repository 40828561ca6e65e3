from __future__ import annotations

import json
from pathlib import Path

import pytest

from speciate.engine import evolve
from speciate.engine.settings import Layer
from speciate.records import (
    NoveltyCheck,
    Patched,
    Placed,
    Placement,
    PlacementKind,
    RejectedEvent,
    Replied,
    TextRef,
    Usage,
)
from speciate.reports import Gate, gates, screens_json, screens_section, screens_words, summarise
from speciate.store import RunHistory, ScreenCounts, open_reader
from speciate.store.screens import Screens
from speciate.testing.histories import events_of
from speciate.testing.knobs import knobs_task
from speciate.testing.runs import SmallRuns

TASK = knobs_task()


def reply(part: str, cost: float | None, *, error: str | None = None) -> Replied:
    usage = Usage(calls=1, cost=cost)
    return Replied(ordinal=1, part=part, text=TextRef(""), model="m", usage=usage, seconds=2.0, error=error)


def folded(*events: Patched | RejectedEvent | Replied | Placed) -> ScreenCounts:
    screens = Screens()
    for event in events:
        screens.apply(event, planted=event.ordinal == 0)
    return screens.counts()


def passed(check: NoveltyCheck | None = None, ordinal: int = 1) -> Patched:
    return Patched(ordinal=ordinal, program=(), novelty=check)


def refused(reason: str, check: NoveltyCheck | None = None) -> RejectedEvent:
    return RejectedEvent(ordinal=1, at="screen", reason=reason, message="", novelty=check)


JUDGED = folded(
    passed(ordinal=0),
    passed(),
    passed(NoveltyCheck("apart", 0.2, 0, seconds=0.5)),
    passed(NoveltyCheck("novel", 0.97, 1, seconds=0.5)),
    refused("not_novel", NoveltyCheck("not_novel", 0.98, 1, seconds=0.5)),
    passed(NoveltyCheck("undecided", 0.99, 1, seconds=0.5)),
    refused("duplicate"),
    refused("syntax"),
    reply("judge", 0.01),
    reply("judge", 0.02),
    reply("judge", 0.0, error="busy"),
    reply("propose", 5.0),
)


def test_every_gate_tells_what_it_saw_stopped_and_cost() -> None:
    fingerprint, embedding, judge = gates(JUDGED, valid=3)
    assert fingerprint == Gate("fingerprint", looked_at=6, stopped=1)
    assert embedding == Gate("embedding", looked_at=4, stopped=0, seconds=2.0)
    assert judge.cost == pytest.approx(0.03)
    assert (judge.looked_at, judge.stopped, judge.undecided) == (3, 1, 1)
    assert (judge.calls, judge.failed_calls, judge.seconds) == (3, 1, 6.0)


def test_an_unknown_price_stays_unknown() -> None:
    counts = folded(passed(NoveltyCheck("novel", 0.9, 1)), reply("judge", None))
    assert gates(counts, valid=0)[-1].cost is None
    assert "unknown" in screens_section(counts, 0)
    assert screens_json(counts)["judge"] == {"calls": 1, "failed": 0, "cost_usd": None, "seconds": 2.0}


def test_an_embedding_alone_stops_by_itself() -> None:
    counts = folded(
        refused("similar", NoveltyCheck("similar", 0.99, 1)),
        reply("embed", 0.001),
        reply("embed_parent", 0.001),
    )
    embedding = gates(counts, valid=0)[-1]
    assert (embedding.name, embedding.stopped, embedding.calls) == ("embedding", 1, 2)


def test_behavioural_duplicates_are_counted_kept_or_not() -> None:
    kept, dropped = Placement(PlacementKind.KEPT), Placement(PlacementKind.NOT_KEPT)
    counts = folded(
        Placed(ordinal=1, placements=((0, kept),), twin=0),
        Placed(ordinal=2, placements=((0, dropped),), twin=0),
        Placed(ordinal=3, placements=((0, kept),)),
    )
    assert (counts.twins, counts.twins_dropped) == (2, 1)
    assert gates(counts, valid=3) == [Gate("behaviour", looked_at=3, stopped=1)]
    assert "same behaviour" in screens_words(counts)


def test_nothing_is_said_of_screens_that_had_nothing_to_do() -> None:
    assert screens_section(ScreenCounts(), 0) == ""
    assert screens_words(ScreenCounts()) == {}


def test_the_counts_of_a_run_add_up(tmp_path: Path) -> None:
    runs = SmallRuns(tmp_path)
    layer: Layer = {"novelty": {"embedding": "paths", "threshold": 0.9}}
    store = evolve(TASK, runs.settings("model", "sequential", layer)).store
    counts = RunHistory(store).screens
    events = events_of(store)
    assert counts.passed == sum(isinstance(e, Patched) and e.ordinal > 0 for e in events)
    similar = sum(isinstance(e, RejectedEvent) and e.reason == "similar" for e in events)
    assert counts.refused == {"similar": similar}
    assert counts.compared == counts.verdicts.get("apart", 0) + similar
    assert counts.seconds > 0


def test_summary_says_it_too(tmp_path: Path) -> None:
    runs = SmallRuns(tmp_path)
    layer: Layer = {"novelty": {"embedding": "paths", "threshold": 0.9}}
    evolve(TASK, runs.settings("model", "sequential", layer), folder=tmp_path / "run")
    reader = open_reader(tmp_path / "run")
    said = summarise(RunHistory(reader)).as_json()["novelty"]
    reader.close()
    assert isinstance(said, dict)
    assert said["compared"]
    assert json.loads(json.dumps(said)) == said
