from __future__ import annotations

from collections.abc import Mapping

import pytest

from speciate.engine import RunConfig
from speciate.engine.settings import compose
from speciate.ensembles import evolve
from speciate.errors import TaskError
from speciate.problems.corewar.prompts import redcode_grammar, redcode_prompts
from speciate.problems.corewar.settings import PRESETS
from speciate.records import Choice, Chosen, Json
from speciate.tasks import Task, load_task
from speciate.testing.fake_openai import Behaviour, FakeOpenAI

NANO = PRESETS["nano"]
SMALL: Mapping[str, Json] = {"preset": "nano", "rounds": 2, "opponents": "none"}


def small(**parameters: int) -> Task:
    return load_task("corewar", {**SMALL, **parameters})


def test_the_problem_brings_prompts_and_a_grammar_for_its_rules() -> None:
    task = small()
    assert dict(task.prompts) == dict(redcode_prompts(NANO))
    assert task.grammar == redcode_grammar(NANO)
    assert small(grammar_lines=3).grammar == redcode_grammar(NANO, 3)


def test_a_grammar_without_room_for_an_instruction_is_refused() -> None:
    with pytest.raises(TaskError, match=r"parameters\.grammar_lines is 0"):
        small(grammar_lines=0)


def test_models_begin_afresh_now_and_then_and_need_no_diffs() -> None:
    with FakeOpenAI(otherwise=Behaviour(text="```redcode\nSPL 0\nMOV 0, 1\n```")) as server:
        config: RunConfig = compose([{"models": [f"local:m@{server.url}"], "budget": {"candidates": 40}}])
        ended = evolve(small(), config)
    choices: list[Choice] = [e.event.choice for e in ended.store.events() if isinstance(e.event, Chosen)]
    operators = {choice.operator: choice for choice in choices if not choice.planted}
    assert set(operators) == {"new", "full"}
    assert operators["new"].parents == ()
