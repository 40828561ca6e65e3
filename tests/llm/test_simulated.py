from __future__ import annotations

import ast
import asyncio
import re

import pytest

from speciate.llm import CHARACTERS, LLMConfig, open_llm
from speciate.llm.simulated import find_program, wants_diff
from speciate.records import Message, Reply, Request, Sampling

PROGRAM = """\
import math

# EVOLVE-BLOCK-START
def area(radius):
    factor = 1.5
    offset = 2
    total = factor * radius + offset
    return total / 3.25
# EVOLVE-BLOCK-END

print(area(4.5))
"""
DIFF = "Answer with SEARCH/REPLACE blocks:\n<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n"
FULL = "Give the whole file in one fenced code block.\n"
EVERY = pytest.mark.parametrize("name", sorted(CHARACTERS))
BLOCK = re.compile(r"<<<<<<< SEARCH\n(.*?)\n=======\n(.*?)\n?>>>>>>> REPLACE", re.DOTALL)


def prompt(form: str, program: str = PROGRAM) -> Request:
    others = "# Other programs\n\n```python\n" + "x = 1\n" * 100 + "```\n\n"
    told = "# Current program\n\nFeedback:\n````\n```\nit was slow\n```\n````\n\n```python\n"
    return Request((Message("user", (others, told, program, "```\n\n", form)),))


def ask(name: str, request: Request, *, repeat: int = 0) -> Reply:
    return asyncio.run(open_llm(f"simulated:{name}", LLMConfig()).complete(request, repeat=repeat))


def answers(name: str, form: str, count: int = 100) -> list[str]:
    llm = open_llm(f"simulated:{name}", LLMConfig())

    async def all_repeats() -> list[str]:
        return [(await llm.complete(prompt(form), repeat=i)).text for i in range(count)]

    return asyncio.run(all_repeats())


def test_the_current_program_is_found_among_others() -> None:
    shown = find_program(prompt(FULL))
    assert shown is not None
    assert (shown.tag, shown.text) == ("python", PROGRAM)


def test_without_the_heading_the_longest_block_is_the_program() -> None:
    text = "~~~~\nshort\n~~~~\n\n````c\nint main;\n```\nlonger\n````\n"
    shown = find_program(Request((Message("user", (text,)),)))
    assert shown is not None
    assert (shown.tag, shown.text) == ("c", "int main;\n```\nlonger\n")


def test_an_example_of_the_language_stands_in_where_no_program_is_shown() -> None:
    example = Message("system", ("Such as\n```redcode\nMOV 0, 1\n```\n",))
    begin = Message("user", ("Write a new warrior.",))
    shown = find_program(Request((example, begin)))
    assert shown is not None
    assert (shown.tag, shown.text) == ("redcode", "MOV 0, 1\n")
    current = Message("user", ("# Current program\n\n```redcode\nSPL 0\n```\n",))
    changed = find_program(Request((example, current)))
    assert changed is not None
    assert changed.text == "SPL 0\n"


def test_the_form_asked_for_is_seen() -> None:
    assert wants_diff(prompt(DIFF))
    assert not wants_diff(prompt(FULL))


@EVERY
@pytest.mark.parametrize("form", [DIFF, FULL])
def test_the_same_question_gets_the_same_answer(name: str, form: str) -> None:
    assert ask(name, prompt(form)) == ask(name, prompt(form))
    assert len(set(answers(name, form, 20))) > 10


@EVERY
def test_well_formed_diffs_quote_the_program_once_and_stay_inside_the_region(name: str) -> None:
    quoted = [match for text in answers(name, DIFF) for match in BLOCK.findall(text)]
    right = [search for search, _ in quoted if search in PROGRAM]
    assert len(right) > len(quoted) / 2
    before, region, after = re.split(r"# EVOLVE-BLOCK-\w+\n", PROGRAM)
    for search in right:
        assert PROGRAM.count(search) == 1
        assert search in region
        assert search not in before + after


@EVERY
def test_whole_programs_keep_what_is_outside_the_region(name: str) -> None:
    for text in answers(name, FULL, 30):
        if "```python\n" in text and text.endswith("```\n"):
            body = text.split("```python\n")[1].removesuffix("```\n")
            assert body.startswith("import math\n\n# EVOLVE-BLOCK-START\n")
            assert body.endswith("# EVOLVE-BLOCK-END\n\nprint(area(4.5))\n")


def test_most_of_a_careful_characters_programs_can_be_parsed() -> None:
    bodies = [text.split("```python\n")[1].partition("```")[0] for text in answers("careful", FULL)]
    for body in bodies[:20]:
        ast.parse(body)
    assert len({body for body in bodies if body != PROGRAM}) > 50


def test_characters_differ_in_habits() -> None:
    sizes = {name: sum(map(len, answers(name, DIFF))) for name in ("careful", "bold")}
    assert sizes["bold"] > 1.5 * sizes["careful"]


def test_sloppy_answers_are_sometimes_malformed_and_careful_ones_hardly_ever() -> None:
    def malformed(name: str) -> int:
        texts = answers(name, DIFF)
        return sum(text.count("<<<<<<< SEARCH") != len(BLOCK.findall(text)) for text in texts)

    assert malformed("sloppy") > 5 * max(malformed("careful"), 1)


def test_latency_is_declared_and_price_is_made_up() -> None:
    slow, sloppy = (ask(name, prompt(FULL)) for name in ("slow", "sloppy"))
    assert slow.seconds > sloppy.seconds > 0
    assert slow.usage.cost is not None
    assert sloppy.usage.cost is not None
    assert slow.usage.cost > sloppy.usage.cost > 0


def test_an_answer_ends_at_the_most_tokens_allowed() -> None:
    request = prompt(FULL)
    short = Request(request.messages, Sampling(max_tokens=10))
    reply = ask("careful", short)
    assert (reply.finish, reply.usage.output_tokens) == ("length", 10)


def test_without_a_program_there_is_nothing_to_change() -> None:
    assert "no program" in ask("bold", Request((Message("user", ("hello",)),))).text


def test_programs_without_numbers_or_lines_do_no_harm() -> None:
    for program in ("", "\n", "pass\n", "é = ü\n"):
        for name in CHARACTERS:
            for form in (DIFF, FULL):
                assert ask(name, prompt(form, program)).text


def test_of_several_files_the_first_is_changed_under_its_name() -> None:
    text = (
        "# Current program\n\nfile: main.py\n```python\na = 1\n```\nfile: b.py\n```python\nb = 2\n```\n\n"
        + FULL
    )
    assert "file: main.py\n```python\na = " in ask("careful", Request((Message("user", (text,)),))).text
