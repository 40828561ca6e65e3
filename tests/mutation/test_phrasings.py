from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from speciate.errors import ConfigError
from speciate.mutation import (
    ContextConfig,
    ModelProposer,
    Phrasing,
    check_phrasings,
    draw_phrasing,
    phrasing_names,
)
from speciate.mutation.by_model import OPERATORS
from speciate.mutation.by_model.operator import task_rules
from speciate.mutation.prompts import load_phrasing, load_prompt, prompt_identities
from speciate.tasks import PLACEHOLDERS, Prompt, Task
from speciate.testing.gateways import ScriptedGateway
from speciate.testing.proposers import SECOND, make_assignment, small_task

FURTHER = phrasing_names()[1:]
EVENLY: Mapping[Phrasing, float] = dict.fromkeys(get_args(Phrasing), 1.0)
REPLY = f"Summary: all new.\n\n```python\n{SECOND}```\n"


def request(phrasing: str, operator: str = "full", task: Task | None = None) -> str:
    gateway = ScriptedGateway([REPLY])
    assignment = make_assignment(task or small_task(), operator=operator, gateway=gateway)
    assignment = replace(assignment, choice=replace(assignment.choice, phrasing=phrasing))
    asyncio.run(ModelProposer("scripted:test").propose(assignment))
    return gateway.calls[0].request.messages[-1].text


@pytest.mark.parametrize("phrasing", FURTHER)
def test_every_phrasing_ships_with_a_version_and_all_placeholders(phrasing: str) -> None:
    prompt = load_phrasing("full", phrasing)
    assert prompt.name == f"full.{phrasing}"
    assert prompt.version >= 1
    assert prompt.placeholders == PLACEHOLDERS["full"]
    assert f"full.{phrasing}" in prompt_identities(small_task())


def test_phrasings_differ_in_what_they_ask_for_and_not_in_the_form_of_the_answer() -> None:
    asked = [request(phrasing) for phrasing in phrasing_names()]
    assert len(set(asked)) == len(asked) == 5
    form = "the whole file in one fenced code block that begins with ```python"
    for text in asked:
        assert form in " ".join(text.split())
        assert "`Summary:`" in text
        assert text.endswith("- Give the text completely, unchanged lines included.\n")


def test_the_default_is_worded_as_it_always_was() -> None:
    """Recordings of models are found by the bytes of the request."""
    values = {
        "answer": "the whole file in one fenced code block that begins with ```python",
        "rules": "\n".join(f"- {rule}" for rule in task_rules(small_task())),
    }
    worded = load_prompt("full").render(values)
    assert OPERATORS["full"].instruction(small_task(), phrasing="default") == f"{worded}\n"
    assert ContextConfig().full == {"default": 1.0}


def test_phrasings_are_drawn_by_their_weights() -> None:
    weights: Mapping[Phrasing, float] = {"structural": 3.0, "default": 1.0, "parametric": 0.0}
    rng = np.random.Generator(np.random.Philox(5))
    drawn = Counter(draw_phrasing(weights, rng) for _ in range(4_000))
    assert set(drawn) == {"default", "structural"}
    assert drawn["structural"] / 4_000 == pytest.approx(0.75, abs=0.03)


@given(st.permutations(sorted(EVENLY.items())), st.integers(0, 2**32))
def test_the_order_in_which_they_are_named_makes_no_difference(
    named: list[tuple[Phrasing, float]], seed: int
) -> None:
    first, second = (np.random.Generator(np.random.Philox(seed)) for _ in range(2))
    assert draw_phrasing(dict(named), first) == draw_phrasing(EVENLY, second)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ({"default": 0}, "at least one weight"),
        ({}, "at least one weight"),
        ({"default": -1, "motivated": 2}, "finite and at least 0"),
        ({"default": float("inf")}, "finite and at least 0"),
        ({"structure": 1}, "structural"),
    ],
)
def test_weights_that_mean_nothing_are_refused(weights: Mapping[str, float], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        ContextConfig.model_validate({"full": weights})


def test_an_unknown_phrasing_names_its_neighbour() -> None:
    with pytest.raises(ConfigError, match=r"no phrasing 'structure' of 'full'; did you mean 'structural'"):
        load_phrasing("full", "structure")
    with pytest.raises(ConfigError, match="known: none"):
        load_phrasing("diff", "structural")


def test_only_full_rewrites_have_phrasings_and_none_where_the_task_has_words_of_its_own() -> None:
    proposer = ModelProposer("scripted:test", context=ContextConfig(full=EVENLY))
    task = small_task()
    assert {name for name in OPERATORS if proposer.phrasings(task, name)} == {"full"}
    own = replace(task, prompts={"full": Prompt("full", 1, "Mine: {{answer}} {{rules}}")})
    assert proposer.phrasings(own, "full") == {}
    check_phrasings(own, ContextConfig().full, "")
    with pytest.raises(ConfigError, match="brings its own prompt for full rewrites"):
        check_phrasings(own, EVENLY, "")


def test_a_diff_that_is_switched_to_a_full_rewrite_gets_the_default() -> None:
    assert request("default", "diff") != request("default")
    assert OPERATORS["diff"].instruction(small_task()) in request("default", "diff")
