from __future__ import annotations

import json

import numpy as np
import pytest

from speciate.records import FailureKind
from speciate.reports import plain_json, read_report, report_json, summarise
from speciate.store import MemoryStore
from speciate.testing.stories import Story


def told() -> Story:
    story = Story(MemoryStore()).begin()
    story.scores(story.choose(), 1.0)
    first = story.choose(proposer="m", operator="diff")
    story.asks(first)
    story.replies(first, cost=None)
    story.scores(first, 3.0)
    story.fails(story.choose(), FailureKind.CRASH)
    return story


def test_the_object_holds_the_summary_and_the_figures_and_can_be_written() -> None:
    history = told().history
    value = report_json(read_report(history))
    assert json.loads(json.dumps(value, allow_nan=False)) == value
    assert summarise(history).as_json().items() <= value.items()
    assert value["curve"] == {
        "ordinals": [0, 1, 2],
        "epochs": [0, 0, 0],
        "scores": [1.0, 3.0, None],
        "best": [1.0, 3.0, 3.0],
        "valid": [1, 2, 2],
        "improved": [True, True, False],
    }
    assert isinstance(value["endings"], list)
    assert {row["operator"] for row in value["endings"] if isinstance(row, dict)} == {"diff", "genetic"}


def test_a_run_that_has_only_begun_can_be_written_too() -> None:
    value = report_json(read_report(Story().begin().history))
    assert json.loads(json.dumps(value, allow_nan=False)) == value


def test_numbers_that_json_cannot_say_become_null() -> None:
    assert plain_json({"a": np.array([1.5, np.nan]), "b": float("inf"), "c": FailureKind.CRASH}) == {
        "a": [1.5, None],
        "b": None,
        "c": "crash",
    }


def test_what_is_no_data_is_refused() -> None:
    with pytest.raises(TypeError, match="cannot hold a object"):
        plain_json(object())
