import json
from pathlib import Path

import pytest

from speciate.errors import RunFolderError, StoreCorruptError
from speciate.records import EpochOpened, Evaluated, FailureKind, Outcome, Placed, Result, TextRef, text_hash
from speciate.reports import summarise
from speciate.store import MemoryStore, RunHistory
from speciate.tasks import DescriptorSpec
from speciate.testing.stories import CONTEXT, Story


def told() -> Story:
    """A run in which everything happens once."""
    story = Story().begin()
    story.scores(story.choose(), 1.0)
    first = story.choose(proposer="m")
    story.asks(first)
    story.replies(first, cost=0.25)
    story.scores(first, 3.0, public={"length": 3.0})
    story.fails(story.choose(), FailureKind.EXCEPTION)
    story.is_rejected(story.choose(), "screen", "duplicate")
    return story


def test_totals_are_those_of_the_history() -> None:
    counts = summarise(told().history).as_json()["counts"]
    assert counts == {
        "proposed": 3,
        "rejected": {"screen": 1},
        "evaluated": 3,
        "valid": 2,
        "failed": {"exception": 1},
        "cached": 0,
        "rescored": 0,
        "waiting": 0,
    }


def test_the_json_has_the_documented_keys_and_can_be_written() -> None:
    summary = summarise(told().history).as_json()
    assert {
        "run_dir", "task", "seed", "status", "stop_reason", "best", "counts", "archive", "proposers",
        "cost_usd", "seconds",
    } <= summary.keys()  # fmt: skip
    assert json.loads(json.dumps(summary, allow_nan=False)) == summary


def test_the_best_is_told_with_its_metrics_and_context() -> None:
    best = summarise(told().history).best
    assert best is not None
    assert (best.ordinal, best.score, best.public, best.context) == (1, 3.0, {"length": 3.0}, CONTEXT)


def test_scores_are_told_in_the_users_own_direction() -> None:
    story = Story().begin(direction="minimize")
    story.scores(story.choose(), -4.0)
    best = summarise(story.history).best
    assert best is not None
    assert best.score == 4.0


def test_a_run_without_a_valid_candidate_has_no_best() -> None:
    story = Story().begin()
    story.fails(story.choose(), FailureKind.SYNTAX)
    assert summarise(story.history).as_json()["best"] is None


def test_the_best_of_a_new_epoch_counts_in_its_own_context() -> None:
    story = told()
    context = TextRef(text_hash("pool"))
    story.write(
        EpochOpened(ordinal=3, part="1", epoch=1, context=context),
        Evaluated(ordinal=0, part="context of epoch 1", epoch=1, outcome=Outcome(Result((0.5,)))),
        Placed(ordinal=0, part="1", epoch=1),
    )
    summary = summarise(story.history)
    assert summary.best is not None
    assert (summary.best.ordinal, summary.best.score) == (0, 0.5)
    assert summary.best.context == "context of epoch 1"
    assert summary.counts.rescored == 1


def test_an_evaluated_candidate_without_a_place_waits() -> None:
    story = told()
    story.ends(story.choose(), Outcome(Result((9.0,))))
    summary = summarise(story.history)
    assert summary.waiting == 1
    assert summary.best is not None
    assert summary.best.ordinal == 1


def test_unknown_cost_is_null_and_never_zero() -> None:
    story = told()
    ordinal = story.choose(proposer="m")
    story.asks(ordinal, reserved=None)
    story.replies(ordinal, cost=None)
    summary = summarise(story.history).as_json()
    assert summary["cost_usd"] is None
    proposers = summary["proposers"]
    assert isinstance(proposers, dict)
    assert proposers["m"] == {
        "calls": 2, "assigned": 2, "finished": 1, "valid": 1, "improved": 1, "cost_usd": None, "seconds": 4.0,
    }  # fmt: skip


@pytest.mark.parametrize(("reserved", "total"), [(0.5, 0.75), (None, None)])
def test_requests_without_reply_are_uncertain_spend(reserved: float | None, total: float | None) -> None:
    story = told()
    story.asks(story.choose(), reserved=0.25)
    story.asks(story.choose(), reserved=reserved)
    summary = summarise(story.history)
    assert (summary.uncertain.calls, summary.uncertain.cost) == (2, total)
    assert summary.cost == 0.25


def test_metrics_that_json_cannot_say_become_null() -> None:
    story = Story().begin()
    story.scores(story.choose(), 1.0, public={"ratio": float("nan"), "name": "x"})
    best = summarise(story.history).as_json()["best"]
    assert isinstance(best, dict)
    assert best["public"] == {"ratio": None, "name": "x"}


def test_coverage_and_qd_score_come_from_the_filled_cells() -> None:
    axis = DescriptorSpec(name="width", range=(0.0, 1.0), bins=4)
    story = Story().begin(direction="minimize", descriptors=[axis], qd_offset=10.0)
    story.scores(story.choose(), -8.0, cell=(0,))
    story.scores(story.choose(), -5.0, cell=(1,))
    story.scores(story.choose(), -3.0, cell=(0,), evicted=(0,))
    archive = summarise(story.history).archive
    assert (archive.size, archive.coverage) == (2, 0.5)
    assert archive.qd_score == (10 - 5) + (10 - 3)


def test_an_archive_without_cells_has_neither_coverage_nor_qd_score() -> None:
    archive = summarise(told().history).archive
    assert (archive.size, archive.coverage, archive.qd_score) == (2, None, None)


def test_the_source_is_named_only_while_the_file_holds_the_best(tmp_path: Path) -> None:
    history, best = told().history, tmp_path / "best" / "initial.py"

    def source() -> Path | None:
        found = summarise(history, folder=tmp_path).best
        assert found is not None
        return found.source_path

    assert source() is None
    best.parent.mkdir()
    best.write_text("program 0\n")
    assert source() is None
    best.write_text("program 1\n")
    assert source() == best


def test_a_store_without_a_run_is_an_error() -> None:
    with pytest.raises(RunFolderError, match="holds no run"):
        summarise(RunHistory(MemoryStore()))


def test_a_manifest_of_another_shape_is_an_error_with_its_version() -> None:
    store = MemoryStore()
    store.begin({"speciate": "9.9", "task": {"spec": {"name": "x"}}, "config": {}, "seed": 1})
    with pytest.raises(StoreCorruptError, match=r"cannot be understood.*9\.9"):
        summarise(RunHistory(store))
