from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from speciate.problems.corewar.prompts import redcode_grammar, warrior_reader
from speciate.problems.corewar.redcode import RedcodeError, assemble
from speciate.problems.corewar.settings import PRESETS
from speciate.testing.gbnf import draw_sentence, parse_grammar

RULES = PRESETS["drq"]
READ = warrior_reader(RULES)
DWARF = """;strategy drops bombs
loop ADD.AB #4, bomb ; a comment
     MOV.I  bomb, @bomb
     JMP    loop
bomb DAT    #0, #0
"""
IMP = "MOV 0, 1\n"


def test_a_fenced_warrior_is_kept_as_the_model_wrote_it() -> None:
    reading = READ(f"Sure! Here is my warrior:\n\n```redcode\n{DWARF}```\nGood luck.")
    assert (reading.text, reading.summary, reading.notes) == (DWARF, "drops bombs", ())


def test_a_reply_of_nothing_but_code_needs_no_fence() -> None:
    assert READ(f"\n{DWARF}\n\n").text == DWARF


@pytest.mark.parametrize("order", [(DWARF, IMP), (IMP, DWARF), (DWARF, "no code at all\n")])
def test_of_several_blocks_the_longest_that_assembles_counts(order: tuple[str, str]) -> None:
    reply = "\n".join(f"Look:\n```\n{text}```" for text in order)
    assert READ(reply).text == DWARF


def test_of_equally_long_blocks_the_last_counts() -> None:
    assert READ(f"Before:\n```\n{IMP}```\nAfter:\n```\nMOV 0, 2\n```").text == "MOV 0, 2\n"


@pytest.mark.parametrize("line", ["MVO 2, @2", "loop MOVE.I $2, @-2 ; copy", "MVO 3"])
def test_an_opcode_that_is_none_goes_back_instead_of_being_left_out(line: str) -> None:
    with pytest.raises(RedcodeError, match=r"line 2.*did you mean 'MOV'"):
        READ(f"```redcode\nADD #4, 3\n{line}\n```")


def test_what_cannot_be_mended_is_told_with_its_place() -> None:
    with pytest.raises(RedcodeError, match=r"line 2, column 6: 'bomb' is not defined"):
        READ("```redcode\nADD #4, 3\nMOV  bomb, @2\n```")


def test_a_reply_without_a_warrior_is_refused() -> None:
    with pytest.raises(RedcodeError):
        READ("I would rather write a poem.")


def test_too_many_instructions_are_refused() -> None:
    with pytest.raises(RedcodeError):
        READ(f"```\n{IMP * 101}```")


@pytest.mark.parametrize(
    "reply",
    [
        "```redcode\nADD #4 3\nMOV 2, @2\nJMP -2\nDAT 0, 0\n```",
        "```redcode\nSPL 0\nNOP\nMOV 0, 1\n```",
        "Here is the warrior you asked for:\n\nSPL 0\nMOV 0, 1\n\nIt splits.",
    ],
)
def test_what_had_to_be_mended_is_noted_and_the_program_assembles_strictly(reply: str) -> None:
    reading = READ(reply)
    assert reading.notes
    assert not any("assert" in note for note in reading.notes)
    assert len(assemble(reading.text, RULES)) >= 2


def test_the_program_that_was_mended_keeps_what_it_says_of_itself() -> None:
    reading = READ("```\n;strategy two of me\nSPL 0\nMOV 0 1\n```")
    assert reading.text == ";strategy two of me\nORG 0\nSPL.B $0,$0\nMOV.I $0,$1\n"
    assert reading.summary == "two of me"


@given(st.integers(0, 2**32 - 1))
@settings(deadline=None)
def test_what_the_grammar_lets_through_is_kept_to_the_letter(seed: int) -> None:
    grammar = parse_grammar(redcode_grammar(RULES, 12))
    sentence = draw_sentence(grammar, np.random.default_rng(seed))
    reading = READ(sentence)
    assert (reading.text, reading.notes) == (sentence, ())


@given(st.text(max_size=200) | st.text("MOVDATSPLJ.#$@<>{}*0123, \n;`abc", max_size=300))
@settings(deadline=None, max_examples=300)
def test_any_reply_is_a_warrior_or_is_refused(reply: str) -> None:
    try:
        reading = READ(reply)
    except RedcodeError:
        return
    assert assemble(reading.text, RULES).code
