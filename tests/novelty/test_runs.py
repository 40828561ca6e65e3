"""Whole runs with every screen on: the same whatever the timing, after a crash, and in the doctor's eyes."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from speciate.engine import BudgetConfig, RunConfig, build_run, evolve, examine, resume
from speciate.engine.settings import Layer
from speciate.errors import ConfigError
from speciate.novelty import EMBED, EMBED_PARENT, JUDGE
from speciate.records import Asked, Event, Patched, RejectedEvent, Replied, TextRef, text_hash
from speciate.store import Store, StoreReader, open_reader, open_store
from speciate.testing.crashes import Moment, dies
from speciate.testing.fake_embeddings import FakeEmbeddings
from speciate.testing.histories import TracingEvaluator, assert_same_history, events_of, retold
from speciate.testing.knobs import knobs_task
from speciate.testing.runs import SmallRuns

TASK = knobs_task()
DRIVERS = ["sequential", "pipeline:ordinal", "pipeline:arrival"]
SAYINGS = (
    "Reason: it turns another knob.\nVerdict: NOVEL",
    "Reason: the same by another name.\nVerdict: NOT NOVEL",
    "I cannot say.",
)


@pytest.fixture
def runs(tmp_path: Path) -> SmallRuns:
    return SmallRuns(tmp_path)


def judged(runs: SmallRuns, *, threshold: float = 0.5, undecided: str = "accept") -> Layer:
    """Returns settings with all screens on; the judge answers by the request, whenever it is asked."""
    script = runs.script.with_name("judge.jsonl")
    script.write_text("".join(json.dumps({"reply": text}) + "\n" for text in SAYINGS))
    judge = f"scripted:{script}?choose=hash"
    return {"novelty": {"embedding": "paths", "threshold": threshold, "judge": judge, "undecided": undecided}}


def lived(config: RunConfig, *, jitter: int | None = None) -> Store:
    return evolve(TASK, config, evaluator=TracingEvaluator(TASK, jitter=jitter)).store


def checks(store: StoreReader) -> Counter[str]:
    ended = (e for e in events_of(store) if isinstance(e, Patched | RejectedEvent))
    return Counter(event.novelty.verdict for event in ended if event.novelty is not None)


@pytest.mark.parametrize("proposers", ["model", "both"])
def test_timing_makes_no_difference_in_ordinal_order(runs: SmallRuns, proposers: str) -> None:
    config = runs.settings(proposers, "pipeline:ordinal", judged(runs))
    first = lived(config)
    assert {"novel", "not_novel", "undecided"} <= set(checks(first))
    assert_same_history(events_of(first), events_of(lived(config, jitter=1)))


@pytest.mark.parametrize("driver", DRIVERS[:2])
@pytest.mark.parametrize(
    "moment", [Moment("replied", 20, "written"), Moment("rejected", 6), Moment("patched", 9, "written")]
)
def test_a_killed_run_goes_on_as_if_nothing_had_happened(
    runs: SmallRuns, tmp_path: Path, driver: str, moment: Moment
) -> None:
    config, folder = runs.settings("model", driver, judged(runs)), tmp_path / "run"
    assert dies(lambda reaper: evolve(TASK, config, folder=folder, observers=[reaper]), moment)
    resume(folder, task=TASK)
    assert_same_history(events_of(folder), events_of(lived(config)))


@pytest.mark.parametrize("driver", DRIVERS)
def test_the_doctor_finds_such_histories_healthy(runs: SmallRuns, driver: str) -> None:
    config = runs.settings("both", driver, judged(runs))
    found = asyncio.run(examine(build_run(TASK, config, lived(config, jitter=1), offline=True)))
    assert found.findings == ()


def other_similarity(event: Event) -> Event:
    if isinstance(event, Patched) and event.novelty is not None and event.novelty.similarity is not None:
        return replace(event, novelty=replace(event.novelty, similarity=event.novelty.similarity - 1e-6))
    return event


def other_verdict(event: Event) -> Event:
    if isinstance(event, RejectedEvent) and event.novelty is not None:
        return replace(event, novelty=replace(event.novelty, verdict="similar"))
    return event


def no_check(event: Event) -> Event:
    return replace(event, novelty=None) if isinstance(event, Patched) else event


def other_judge(event: Event) -> Event:
    if isinstance(event, Replied) and event.part == JUDGE:
        return replace(event, text=TextRef(text_hash("unclear")))
    return event


@pytest.mark.parametrize("lie", [other_similarity, other_verdict, no_check, other_judge])
def test_the_doctor_finds_out_false_comparisons(runs: SmallRuns, lie: Callable[[Event], Event]) -> None:
    config = runs.settings("model", "pipeline:ordinal", judged(runs))
    store = lived(config)
    texts = {text_hash("unclear"): "unclear"}
    asyncio.run(store.append([], texts))
    false = asyncio.run(retold(store, lie))
    found = asyncio.run(examine(build_run(TASK, config, false, offline=True)))
    assert "novelty" in {finding.check for finding in found.findings}


def test_a_refused_program_is_not_evaluated_and_its_reason_reaches_the_next_prompt(runs: SmallRuns) -> None:
    store = lived(runs.settings("model", "sequential", judged(runs)))
    refused = [e for e in events_of(store) if isinstance(e, RejectedEvent) and e.reason == "not_novel"]
    assert refused
    again = {(e.ordinal, e.attempt): e for e in events_of(store) if isinstance(e, Asked) and e.part != JUDGE}
    told = 0
    for event in refused:
        assert "Reason" not in event.message
        assert "the same by another name" in event.message
        following = again.get((event.ordinal, event.attempt + 1))
        if following is not None:
            texts = [
                p if isinstance(p, str) else store.text(p.text) for m in following.messages for p in m.parts
            ]
            told += any(event.message in text for text in texts)
    assert told


def test_without_a_judge_everything_above_the_threshold_is_refused(runs: SmallRuns) -> None:
    novelty: Layer = {"novelty": {"embedding": "paths", "threshold": 0.5}}
    store = lived(runs.settings("model", "sequential", novelty))
    assert checks(store)["similar"] > 0
    for event in events_of(store):
        if isinstance(event, Patched) and event.novelty is not None and event.novelty.similarity is not None:
            assert event.novelty.similarity <= 0.5


def test_an_unclear_judge_never_passes_for_a_yes(runs: SmallRuns) -> None:
    store = lived(runs.settings("model", "sequential", judged(runs, undecided="reject")))
    undecided = [
        event
        for event in events_of(store)
        if isinstance(event, Patched | RejectedEvent)
        and event.novelty is not None
        and event.novelty.verdict == "undecided"
    ]
    assert undecided
    assert all(isinstance(event, RejectedEvent) and event.reason == "undecided" for event in undecided)


def test_what_genetic_operators_make_is_not_compared_unless_asked_for(runs: SmallRuns) -> None:
    off: Layer = {"novelty": {"embedding": "paths"}}
    assert not checks(lived(runs.settings("genetic", "sequential", off)))
    assert checks(lived(runs.settings("genetic", "sequential", off, {"novelty": {"genetic": True}})))


def test_judges_are_paid_for_and_count_against_the_caps(runs: SmallRuns) -> None:
    config = runs.settings("model", "sequential", judged(runs), {"budget": {"calls": 30}})
    store = lived(config)
    calls: Counter[str] = Counter()
    for event in events_of(store):
        if isinstance(event, Replied):
            calls[event.part] += event.usage.calls
    assert calls[JUDGE] > 0
    assert calls.total() == 30


def test_a_judge_without_an_embedding_is_a_contradiction() -> None:
    with pytest.raises(ValueError, match="embedding"):
        RunConfig.model_validate({"novelty": {"judge": "simulated:tuner"}})


def test_a_judge_that_means_nothing_is_told_before_anything_is_spent(runs: SmallRuns, tmp_path: Path) -> None:
    config = runs.settings("model", "sequential", {"novelty": {"embedding": "paths", "judge": "opnai:gpt"}})
    with pytest.raises(ConfigError, match="openai"):
        evolve(TASK, config, folder=tmp_path / "run")


def test_audited_refusals_are_evaluated(runs: SmallRuns) -> None:
    layer: Layer = {"novelty": {"embedding": "paths", "threshold": 0.5, "audit": 1.0}}
    store = lived(runs.settings("model", "sequential", layer))
    audited = [e for e in events_of(store) if isinstance(e, Patched) and e.novelty and e.novelty.audited]
    assert audited
    assert not any(isinstance(e, RejectedEvent) and e.reason == "similar" for e in events_of(store))


def test_a_run_is_read_again_from_disk_with_its_comparisons(runs: SmallRuns, tmp_path: Path) -> None:
    evolve(TASK, runs.settings("model", "sequential", judged(runs)), folder=tmp_path / "run")
    reader = open_reader(tmp_path / "run")
    assert checks(reader).total() > 10
    reader.close()


@pytest.mark.parametrize("driver", DRIVERS[:2])
def test_vectors_of_a_model_are_recorded_and_never_asked_for_again(
    runs: SmallRuns, tmp_path: Path, driver: str
) -> None:
    folder = tmp_path / "run"
    with FakeEmbeddings() as server:
        novelty: Layer = {"novelty": {"embedding": f"local:m@{server.url}", "threshold": 0.95}}
        config = runs.settings("both", driver, novelty)
        assert dies(
            lambda reaper: evolve(TASK, config, folder=folder, observers=[reaper]), Moment("placed", 9)
        )
        resume(folder, task=TASK)
        assert_same_history(events_of(folder), events_of(lived(config)))
    reader = open_reader(folder)
    assert {"apart", "similar"} <= set(checks(reader))
    asked = Counter(event.part for event in events_of(reader) if isinstance(event, Asked))
    assert asked[EMBED] > 0 < asked[EMBED_PARENT]
    reader.close()
    store = open_store(folder)  # the server is gone: everything has to be in the record
    found = asyncio.run(examine(build_run(TASK, config, store, offline=True)))
    store.close()
    assert found.findings == ()


def test_a_run_whose_judge_is_a_file_goes_on_from_anywhere(
    runs: SmallRuns, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged(runs)
    monkeypatch.chdir(tmp_path)
    here: Layer = {
        "novelty": {"embedding": "paths", "threshold": 0.5, "judge": "scripted:judge.jsonl?choose=hash"},
        "budget": {"candidates": 8},
    }
    evolve(TASK, runs.settings("model", "sequential", here), folder=tmp_path / "run")
    monkeypatch.chdir("/")
    more = BudgetConfig(candidates=16)
    resume(tmp_path / "run", task=TASK, overrides=lambda config: config.model_copy(update={"budget": more}))
    assert sum(event.step == "placed" for event in events_of(tmp_path / "run")) == 17


def test_an_embedding_that_means_nothing_is_told_with_the_nearest() -> None:
    with pytest.raises(ValueError, match="did you mean 'paths'"):
        RunConfig.model_validate({"novelty": {"embedding": "path"}})


def test_what_embeds_cannot_propose(runs: SmallRuns) -> None:
    config = runs.settings("model", models=["local:m@http://127.0.0.1:9/v1?api=embeddings"])
    with pytest.raises(ConfigError, match="cannot propose"):
        evolve(TASK, config)
