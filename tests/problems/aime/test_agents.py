"""The agents that ship with the problem, and the characters that answer them."""

from __future__ import annotations

import types
from collections.abc import Callable

import numpy as np
import pytest

from speciate.errors import ModelRefusedError
from speciate.llm import LLMConfig, character_names, open_llm
from speciate.patches import immutable_change
from speciate.problems.aime import load
from speciate.problems.aime.answers import boxed
from speciate.problems.aime.mathematician import Skill, answer
from speciate.problems.aime.problems import SHIPPED, read_problems
from speciate.problems.aime.run import run
from speciate.problems.aime.task import AGENTS, agent_source
from speciate.records import Message, Program, Request, Sampling

PROBLEM = read_problems(SHIPPED)[0]


class Script:
    """Answers in order; None stands for no answer."""

    def __init__(self, *answers: str | None) -> None:
        self.answers = list(answers)
        self.asked: list[tuple[str, str, float]] = []

    def __call__(self, prompt: str, system: str = "", temperature: float = 0.0) -> str:
        self.asked.append((prompt, system, temperature))
        said = self.answers.pop(0)
        if said is None:
            raise ConnectionError("no answer")
        return said


def solve(name: str, query: Callable[..., str]) -> int | None:
    module = types.ModuleType("candidate")
    exec(agent_source(name), module.__dict__)
    return boxed(run(module, {"problem": PROBLEM.text}, query)["text"])


def box(*answers: int) -> list[str]:
    return [f"\\boxed{{{answer:03d}}}" for answer in answers]


def test_the_base_agent_asks_once() -> None:
    query = Script(*box(7))
    assert solve("base", query) == 7
    assert len(query.asked) == 1
    assert PROBLEM.text in query.asked[0][0]


def test_a_call_without_answer_leaves_the_base_agent_without_one() -> None:
    assert solve("base", Script(None)) is None


def test_the_majority_of_five_wins() -> None:
    query = Script(*box(1, 2, 3, 2, 1, 2)[:5], None)
    assert solve("majority", query) in (1, 2)
    assert solve("majority", Script(*box(4, 9), None, "no box", *box(9))) == 9
    assert solve("majority", Script(*[None] * 5)) == 0


def test_three_solve_three_review_one_decides() -> None:
    query = Script(*box(1, 2, 3), *box(2, 2, 3), *box(5))
    assert solve("review", query) == 5
    assert [temperature for _, _, temperature in query.asked] == [0.7] * 3 + [0.1] * 3 + [0.0]
    assert len({system for _, system, _ in query.asked}) == 5  # three personas, one reviewer, one editor
    last = query.asked[-1][0]
    assert all(f"Solution {n}" in last and f"Review {n}" in last for n in (1, 2, 3))


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ((*box(1, 2, 3), *box(2, 2, 3), None), 2),  # no last word: the majority of the reviews
        ((*box(1, 1, 3), None, None, "no box", "no box"), 1),  # nor reviews: that of the solutions
        ((None, None, *box(3), *box(4), "no box"), 4),  # who fails is left out
        ((None, None, None), 0),  # nobody answers
    ],
)
def test_the_reviewing_agent_fails_gracefully(answers: tuple[str | None, ...], expected: int) -> None:
    query = Script(*answers)
    assert solve("review", query) == expected
    assert query.answers == []


@pytest.mark.parametrize("name", sorted(AGENTS))
def test_every_agent_has_something_to_evolve(name: str) -> None:
    assert agent_source(name).count("# EVOLVE-BLOCK-") == 2


@pytest.mark.parametrize("name", sorted(AGENTS))
def test_every_agent_may_stand_on_an_island_beside_the_others(name: str) -> None:
    task = load()
    agent = Program.of({task.initial.entry: agent_source(name)})
    assert immutable_change(task.initial, agent, task) is None


def request(text: str, *, temperature: float = 0.7, seed: int = 0) -> Request:
    return Request((Message("user", (text,)),), Sampling(temperature=temperature, seed=seed))


def said(skill: Skill, text: str, *, draws: int = 200) -> list[int | None]:
    answers: list[int | None] = []
    for draw in range(draws):
        try:
            answers.append(boxed(answer(skill, request(text), np.random.default_rng(draw))))
        except ModelRefusedError:
            answers.append(None)
    return answers


def test_a_character_is_right_as_often_as_its_skill_says() -> None:
    assert said(Skill(1.0, 1.0), PROBLEM.text).count(PROBLEM.answer) > 180
    assert said(Skill(0.0, 0.0), PROBLEM.text).count(PROBLEM.answer) == 0
    assert 60 < said(Skill(0.5, 0.5), PROBLEM.text).count(PROBLEM.answer) < 140


def test_a_character_that_is_lost_believes_what_it_is_shown() -> None:
    assert set(said(Skill(0.0, 0.0), f"{PROBLEM.text} \\boxed{{001}} \\boxed{{002}}")) == {1, 2, None}


def test_a_character_knows_no_other_problems() -> None:
    assert said(Skill(1.0, 1.0), "What is 6 times 7?").count(42) <= 3


def test_at_temperature_zero_the_words_alone_decide() -> None:
    cold = [
        answer(Skill(0.5, 0.5), request(PROBLEM.text, temperature=0.0, seed=n), np.random.default_rng(n))
        for n in range(3)
    ]
    assert len(set(cold)) == 1


def test_the_characters_are_found_by_name_and_declare_a_price() -> None:
    for name in ("pupil", "mathematician", "professor"):
        assert name in character_names()
        assert open_llm(f"simulated:{name}", LLMConfig()).spec == f"simulated:{name}"
