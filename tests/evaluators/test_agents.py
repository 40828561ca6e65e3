"""Candidates that ask a model while they are evaluated."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from speciate.errors import BudgetExceededError, UsageError
from speciate.evaluators import EvaluationConfig, Evaluator, build_evaluator
from speciate.records import Ask, CaseResult, Failure, FailureKind, Outcome, Program, Query, Reply, Usage
from speciate.tasks import Task, load_folder
from speciate.testing.agents import CALLS, CASES, REPEATS, write_agent_task

ASKS_TWICE = """
def answer(case, query):
    return query(f"question {case}") + query("again", "a system", 0.7)
"""


class Model:
    """Answers each question with its words and its seed, after a while."""

    def __init__(self, *, wait: float = 0.0, fails_at: str = "nothing") -> None:
        self.heard: list[Query] = []
        self._wait = wait
        self._fails_at = fails_at

    async def __call__(self, query: Query) -> Reply:
        self.heard.append(query)
        await asyncio.sleep(self._wait)
        text = query.request.messages[-1].text
        error = "10.0.0.1 says no" if self._fails_at in text else None
        return Reply(f"<{text}>", "m", Usage(1, 10, 5, cost=0.25), seconds=2.0, error=error)


@pytest.fixture
def task(tmp_path: Path) -> Task:
    return load_folder(write_agent_task(tmp_path / "task"))


def evaluate(task: Task, ask: Ask, *sources: str) -> list[Outcome]:
    async def main() -> list[Outcome]:
        evaluator = build_evaluator(task, EvaluationConfig(slots=2))
        await evaluator.start()
        try:
            return [await one(evaluator, source) for source in sources]
        finally:
            await evaluator.close()

    async def one(evaluator: Evaluator, source: str) -> Outcome:
        return await evaluator.asking(ask).evaluate(Program.of({"initial.py": source}), task.context)

    return asyncio.run(main())


def failure_of(outcome: Outcome) -> Failure:
    assert outcome.failure is not None, outcome
    return outcome.failure


def cases_of(outcome: Outcome) -> Sequence[CaseResult]:
    assert outcome.result is not None, outcome
    return outcome.result.cases


def test_a_question_reaches_the_model_and_its_answer_the_candidate(task: Task) -> None:
    model = Model()
    (outcome,) = evaluate(task, model, ASKS_TWICE)
    assert [case.feedback for case in cases_of(outcome)] == ["<question 0><again>", "<question 1><again>"] * 2
    asked = [q.request for q in model.heard if q.case == "c0" and q.repeat == 0]
    assert [[m.role for m in request.messages] for request in asked] == [["user"], ["system", "user"]]
    assert [request.sampling.temperature for request in asked] == [0.0, 0.7]
    assert {request.sampling.max_tokens for request in asked} == {123}


def test_calls_tokens_and_dollars_are_measured_outside(task: Task) -> None:
    (outcome,) = evaluate(task, Model(), ASKS_TWICE)
    for case in cases_of(outcome):
        expected = {"calls": 2, "failed_calls": 0, "input_tokens": 20, "output_tokens": 10, "cost": 0.5}
        assert {name: case.values[name] for name in expected} == expected
        assert case.seconds >= 4.0  # what the model says it took, though it took no time here
    assert outcome.evaluations == REPEATS


def test_every_call_has_a_name_and_a_seed_of_its_own(task: Task) -> None:
    model = Model()
    evaluate(task, model, "def answer(case, query):\n    return query('same') + query('same')")
    assert len(model.heard) == 2 * CASES * REPEATS
    assert len({query.part for query in model.heard}) == len(model.heard)
    assert len({query.request.sampling.seed for query in model.heard}) == len(model.heard)


def test_equal_programs_ask_the_same(task: Task) -> None:
    first, second = Model(), Model()
    evaluate(task, first, ASKS_TWICE)
    evaluate(task, second, ASKS_TWICE)
    assert sorted(q.part for q in first.heard) == sorted(q.part for q in second.heard)


def test_one_call_too_many_ends_the_candidate(task: Task) -> None:
    model = Model()
    (outcome,) = evaluate(task, model, "def answer(case, query):\n    for i in range(99): query(str(i))")
    assert failure_of(outcome).kind is FailureKind.CALL_LIMIT
    assert failure_of(outcome).message == f"asked the model more than {CALLS} times about c0"
    assert len(model.heard) == CALLS  # nobody asks for the other cases of a program that breaks at the first


def test_a_call_without_answer_is_an_exception_that_tells_nothing_of_the_provider(task: Task) -> None:
    model = Model(fails_at="again")
    caught = (
        ASKS_TWICE.replace("    return", "    try:\n        return") + "    except ConnectionError as e:\n"
    )
    caught += "        return str(e)"
    graceful, not_so = evaluate(task, model, caught, ASKS_TWICE)
    assert {case.feedback for case in cases_of(graceful)} == {"the model gave no answer"}
    assert {case.values["failed_calls"] for case in cases_of(graceful)} == {1}
    assert failure_of(not_so).kind is FailureKind.EXCEPTION
    assert "10.0.0.1" not in str(failure_of(not_so))


def test_waiting_for_a_model_is_not_the_candidate_s_time(task: Task) -> None:
    limits = task.spec.limits.model_copy(update={"wall_seconds": 1.0})
    hasty = replace(task, spec=task.spec.model_copy(update={"limits": limits}))
    (outcome,) = evaluate(hasty, Model(wait=0.8), ASKS_TWICE)
    assert outcome.valid, outcome.failure


@pytest.mark.parametrize(
    ("call", "told"),
    [
        ("query(3)", "TypeError: query(): prompt must be a str, not int"),
        ("query('x', None)", "TypeError: query(): system must be a str, not NoneType"),
        ("query('x', temperature=3)", "ValueError: query(): temperature must lie between 0 and 2, not 3"),
        ("query('x', temperature=float('nan'))", "must lie between 0 and 2, not nan"),
        ("query(chr(0xd800))", "ValueError: query(): prompt holds half a character"),
    ],
)
def test_a_nonsense_question_is_told_to_the_candidate(task: Task, call: str, told: str) -> None:
    model = Model()
    (outcome,) = evaluate(task, model, f"def answer(case, query):\n    return {call}")
    assert failure_of(outcome).kind is FailureKind.EXCEPTION
    assert told in failure_of(outcome).message
    assert model.heard == []


FORGED = """
import json, os, struct
def answer(case, query):
    text = json.dumps([{}, []]).encode()
    body = b"Q" + struct.pack("<I", len(text)) + text
    os.write(4, struct.pack("<Q", len(body)) + body)
    import time
    time.sleep(5)
"""


@pytest.mark.parametrize("forged", ["{}", '{"prompt": 1, "system": "", "temperature": 0.0}', "7"])
def test_a_forged_question_ends_its_candidate_alone(task: Task, forged: str) -> None:
    model = Model()
    bad, good = evaluate(task, model, FORGED.replace("{}", forged, 1), ASKS_TWICE)
    assert failure_of(bad).kind is FailureKind.MALFORMED
    assert good.valid


def test_a_candidate_that_dies_while_a_question_is_open_leaves_its_slot_whole(task: Task) -> None:
    dies = """
import os, threading, time
def answer(case, query):
    threading.Thread(target=query, args=("slow",)).start()
    time.sleep(0.1)
    os._exit(3)
"""
    gone, after = evaluate(task, Model(wait=0.5), dies, ASKS_TWICE)
    assert failure_of(gone).kind is FailureKind.EXIT
    assert after.valid, after.failure


def test_threads_of_a_candidate_may_ask(task: Task) -> None:
    threads = """
from concurrent.futures import ThreadPoolExecutor
def answer(case, query):
    with ThreadPoolExecutor(3) as pool:
        return "".join(pool.map(query, ["a", "b", "c"]))
"""
    (outcome,) = evaluate(task, Model(), threads)
    assert {case.feedback for case in cases_of(outcome)} == {"<a><b><c>"}


def test_what_the_answering_side_raises_passes_through_and_harms_no_slot(task: Task) -> None:
    async def poor(query: Query) -> Reply:
        raise BudgetExceededError("no money", cap="cost")

    with pytest.raises(BudgetExceededError, match="no money"):
        evaluate(task, poor, ASKS_TWICE)


def test_without_anybody_to_ask_nothing_is_evaluated(task: Task) -> None:
    async def main() -> None:
        evaluator = build_evaluator(task, EvaluationConfig(slots=1))
        await evaluator.evaluate(task.initial, task.context)

    with pytest.raises(UsageError, match="ask a model"):
        asyncio.run(main())
