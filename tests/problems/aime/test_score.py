"""What answers are worth, and what may be said of them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from speciate.problems.aime import load, score
from speciate.problems.aime.answers import boxed
from speciate.problems.aime.measures import measured

MEASURED = {"calls": 2, "failed_calls": 0, "input_tokens": 30, "output_tokens": 10, "cost": 0.5}


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        (r"so \boxed{042}", 42),
        (r"\boxed{7}, no: \boxed{ 113 }", 113),
        (r"\boxed{\text{009}}", 9),
        (r"\boxed{1000}", None),
        (r"\boxed{-1}", None),
        (r"\boxed{x}", None),
        ("42", None),
        ("", None),
    ],
)
def test_the_last_integer_in_a_box_counts(text: str, answer: int | None) -> None:
    assert boxed(text) == answer


@given(st.integers(0, 999), st.text())
def test_every_answer_can_be_said(answer: int, before: str) -> None:
    assert boxed(f"{before}\\boxed{{{answer:03d}}}") == answer


def test_no_case_that_enters_the_sandbox_holds_its_answer() -> None:
    for case in score.cases(load().context):
        assert set(case["data"]) == {"problem"}
        assert "answer" in case


@given(st.one_of(st.none(), st.integers(), st.text(), st.dictionaries(st.text(), st.integers())))
def test_whatever_comes_back_is_scored(data: Any) -> None:
    case = score.cases(load().context)[0]
    assert score.score(case, data)["values"]["correct"] == 0


def results(right: dict[str, int], *, repeats: int = 3) -> list[dict[str, Any]]:
    """Returns results in which each problem is solved in so many of the repeats."""
    return [
        {
            "case": f"{case['name']}#{repeat + 1}",
            "seconds": 1.0,
            "values": score.score(
                case, {"text": f"\\boxed{{{case['answer']}}}" if repeat < right.get(case["name"], 0) else "?"}
            )["values"]
            | MEASURED,
        }
        for case in score.cases(load().context)
        for repeat in range(repeats)
    ]


def test_accuracy_is_the_share_over_all_runs_of_all_problems() -> None:
    found = score.aggregate(results({"subset_sums": 3, "detours": 1}))
    assert found["objectives"] == {"accuracy": pytest.approx(4 / 60), "calls": 2.0}
    assert found["public"]["tokens"] == 40
    assert found["public"]["answered"] == pytest.approx(4 / 60)
    assert found["public"]["cost"] == 0.5
    assert found["descriptor"] == {"calls": 2.0}
    assert "1 problems are solved in every run, 18 in none" in found["feedback"]


def test_held_out_years_are_measured_and_told_to_nobody() -> None:
    without, with_all = (score.aggregate(results(right)) for right in ({}, {"heron": 3, "boxes": 3}))
    assert with_all["private"]["accuracy_3"] == pytest.approx(0.2)
    assert without["private"]["accuracy_3"] == 0.0
    for part in ("objectives", "public", "feedback", "descriptor"):
        assert with_all[part] == without[part]


def test_neither_statements_nor_answers_reach_a_prompt() -> None:
    task = load()
    told = json.dumps([score.aggregate(results({"heron": 2}))["feedback"], task.spec.description])
    for case in score.cases(task.context):
        assert case["data"]["problem"] not in told


def test_the_interval_takes_problems_for_the_sample() -> None:
    alike = measured(results(dict.fromkeys(("subset_sums", "detours"), 3)))
    once = measured(results(dict.fromkeys(("subset_sums", "detours"), 1), repeats=1))
    assert alike.accuracy == once.accuracy
    assert alike.interval == once.interval > 0  # three runs that agree say no more about other problems
    assert (alike.problems, alike.repeats) == (30, 3)
