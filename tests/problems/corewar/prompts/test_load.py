from __future__ import annotations

import re

import pytest

from speciate.problems.corewar.prompts import COMPACT, redcode_prompts
from speciate.problems.corewar.redcode import assemble
from speciate.problems.corewar.settings import PRESETS
from speciate.tasks import PLACEHOLDERS

PROMPTS = redcode_prompts(PRESETS["drq"])
CHARACTERS_A_TOKEN = 3  # measured on this text: 3.2 to 3.6 with the tokenisers of SmolLM2 and Qwen 2.5


@pytest.mark.parametrize(("name", "tokens"), [("system", 1200), (f"system.{COMPACT}", 350)])
def test_the_specification_keeps_to_its_length(name: str, tokens: int) -> None:
    assert len(PROMPTS[name].text) <= tokens * CHARACTERS_A_TOKEN


def test_every_prompt_but_diff_is_there_in_both_lengths() -> None:
    plain = set(PLACEHOLDERS) - {"diff"}
    assert set(PROMPTS) == plain | {f"{name}.{COMPACT}" for name in plain}


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_the_specification_tells_the_rules_of_the_battle(preset: str) -> None:
    rules = PRESETS[preset]
    prompts = redcode_prompts(rules)
    text = prompts["system"].text
    for value in (rules.core_size, rules.cycles, rules.processes, rules.max_length, rules.min_distance):
        assert re.search(rf"\b{value}\b", text)
    assert str(rules.max_length) in prompts[f"system.{COMPACT}"].text


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_the_examples_assemble(preset: str) -> None:
    prompts = redcode_prompts(PRESETS[preset])
    fenced = re.findall(r"```redcode\n(.*?)```", prompts["system"].text, re.DOTALL)
    [bare] = re.findall(r"Example.*?\n(.*)", prompts[f"system.{COMPACT}"].text, re.DOTALL)
    full, compact = (assemble(text, PRESETS[preset]) for text in (*fenced, bare))
    assert full.code == compact.code


def test_every_opcode_modifier_and_mode_is_explained() -> None:
    from speciate.problems.corewar.instructions import MODE_SYMBOLS, Modifier, Opcode

    text = PROMPTS["system"].text
    for word in (*(opcode.name for opcode in Opcode), *(f"`.{modifier.name}`" for modifier in Modifier)):
        assert word in text
    for symbol in MODE_SYMBOLS:
        assert f"`{symbol}n`" in text
