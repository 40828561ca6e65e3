from __future__ import annotations

import asyncio

from speciate.llm.catalog import FREE
from speciate.llm.characters import CHARACTERS
from speciate.llm.remarks import wants_remarks
from speciate.llm.simulated import SimulatedLLM
from speciate.records import Message, Request


def asked(system: str, user: str) -> Request:
    return Request((Message("system", (system,)), Message("user", (user,))))


LINES = "Answer with these lines and nothing else."
NUMBERED = asked(
    f"NUMBER: what was changed. {LINES}", "## Program 7 (changed)\n\n```diff\n+x\n```\n## Program 12 (new)\n"
)
BULLETS = asked(f"At most 4 lines. {LINES}", "# Insights so far\n\n- x\n")


def said(request: Request) -> str:
    name = next(iter(CHARACTERS))
    return asyncio.run(SimulatedLLM(f"simulated:{name}", name, price=FREE, wait=False).complete(request)).text


def test_programs_are_remarked_on_by_number() -> None:
    assert [line.partition(":")[0] for line in said(NUMBERED).splitlines()] == ["7", "12"]


def test_else_there_are_at_most_as_many_bullets_as_wanted() -> None:
    lines = said(BULLETS).splitlines()
    assert 1 <= len(lines) <= 4
    assert all(line.startswith("- ") for line in lines)


def test_the_same_question_gets_the_same_remarks() -> None:
    assert said(BULLETS) == said(BULLETS)


def test_a_prompt_for_a_program_is_none_for_remarks() -> None:
    assert not wants_remarks(asked("You improve programs.", "# Current program\n\n```python\nx = 1\n```"))
