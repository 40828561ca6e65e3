from __future__ import annotations

import cProfile
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from speciate.problems.corewar.instructions import Instruction, Mode, Modifier, Opcode
from speciate.problems.corewar.redcode import (
    Dialect,
    RedcodeError,
    assemble,
    comments,
    disassemble,
    lenient,
    lines,
)
from speciate.problems.corewar.redcode.lexer import Token, tokenise
from speciate.problems.corewar.redcode.limits import CHARACTERS_A_STEP, MOST_STEPS
from speciate.problems.corewar.settings import Settings
from speciate.problems.corewar.warrior import Warrior
from speciate.testing.redcode_attacks import ATTACKS

_DIALECTS: tuple[Dialect, ...] = ("strict", "lenient", "icws88")
_TEXT = st.text(st.sampled_from("abxMOVDATJFEQURG0123456789 ,.;:&()+-*/%<>=!#$@{}\n\t`\r\x00é—")) | st.text()
_VOCABULARY = (
    *(
        "MOV",
        "ADD",
        "DAT",
        "JMP",
        "FOR",
        "ROF",
        "EQU",
        "ORG",
        "END",
        "PIN",
        "i",
        "x",
        "l&",
        "&i",
        "0",
        "1",
        "7",
    ),
    *(",", ".I", ".AB", "#", "@", "<", "}", "(", ")", "+", "-", "*", "/", "==", "&&", "=", "\n", "\n", ":"),
    ";assert",
)
_WORDS = st.lists(st.sampled_from(_VOCABULARY), max_size=40).map(" ".join)
_NUMBERS = st.integers(0, 7999)
_CELLS = st.builds(
    Instruction,
    st.sampled_from(Opcode),
    st.sampled_from(Modifier),
    st.sampled_from(Mode),
    _NUMBERS,
    st.sampled_from(Mode),
    _NUMBERS,
)


def _warrior_or_error(source: str | bytes, dialect: Dialect) -> Warrior | RedcodeError:
    try:
        return assemble(source, dialect=dialect)
    except RedcodeError as error:
        return error


@given(_TEXT | _WORDS | st.binary(max_size=200), st.sampled_from(_DIALECTS))
@settings(max_examples=500, deadline=None)
def test_any_source_is_a_warrior_or_a_redcode_error(source: str | bytes, dialect: Dialect) -> None:
    outcome = _warrior_or_error(source, dialect)
    if isinstance(outcome, Warrior):
        assert 0 <= outcome.start < len(outcome) <= 100
    else:
        assert str(outcome)


@given(st.lists(_CELLS, min_size=1, max_size=20), st.data())
def test_a_load_file_assembles_to_the_same_warrior(cells: list[Instruction], data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(cells) - 1))
    pin = data.draw(st.none() | st.integers(0, 1000))
    warrior = Warrior(tuple(cells), start, pin=pin)
    again = assemble(warrior.listing())
    assert (again.code, again.start, again.pin) == (warrior.code, warrior.start, warrior.pin)
    assert assemble(disassemble(cells, 8000)).code == warrior.code


@pytest.mark.parametrize(
    ("source", "start"),
    [
        ("NOP 1\nNOP 2\nEND 1\n", 1),
        ("ORG s+1\nNOP 0\ns NOP 1\nNOP 2\n", 2),
        ("ORG 0\nNOP 1\nNOP 2\nEND 1\n", 1),
        ("ORG 1\nNOP 1\nNOP 2\nNOP 3\nEND 2\n", 1),
        ("ORG -7999\nNOP 1\nNOP 2\n", 1),
        ("ORG\nNOP 1\n", 0),
    ],
)
def test_org_counts_unless_it_is_zero(source: str, start: int) -> None:
    assert assemble(source).start == start


def test_a_start_outside_of_the_program_is_noted_and_zero() -> None:
    warrior = assemble("ORG 5\nNOP 1\n")
    assert warrior.start == 0
    assert any("outside" in note for note in warrior.notes)


def test_the_last_pin_counts() -> None:
    assert assemble("PIN 1\nPIN 6*7\nNOP 1\n").pin == 42
    assert assemble("NOP 1\n").pin is None


def test_remarks_become_the_warrior_s_name_author_and_strategy() -> None:
    warrior = assemble(";redcode\n;name  Big Imp \n;author Me\n;strategy one\n;strategy two\nMOV 0,1\n")
    assert (warrior.name, warrior.author, warrior.strategy) == ("Big Imp", "Me", ("one", "two"))


def test_settings_and_constants_are_predefined_names() -> None:
    rules = Settings(core_size=800, max_length=20, min_distance=20, rounds=3)
    source = "DAT CORESIZE-1, MAXLENGTH\nDAT ROUNDS, WARRIORS\nDAT VERSION, PSPACESIZE\nDAT MINDISTANCE, 0\n"
    warrior = assemble(source, rules, constants={"WARRIORS": 4})
    assert [(each.a, each.b) for each in warrior.code] == [(799, 20), (3, 4), (92, 50), (20, 0)]


def test_a_false_assertion_is_refused_and_a_missing_one_noted() -> None:
    with pytest.raises(RedcodeError, match="line 1: the assertion is false"):
        assemble(";assert CORESIZE==55440\nMOV 0,1\n")
    assert any(";assert" in note for note in assemble("MOV 0,1\n").notes)
    assert not assemble(";assert CORESIZE==8000\nMOV 0,1\n").notes


@pytest.mark.parametrize(
    "source", ["", "\n\n", ";only a comment", "label\n", ";redcode\nMOV 0,1\n"[:9], "END\n"]
)
def test_a_source_without_instructions_is_refused(source: str) -> None:
    with pytest.raises(RedcodeError, match="no instruction"):
        assemble(source)


def test_an_error_carries_its_place_and_its_line() -> None:
    with pytest.raises(RedcodeError) as caught:
        assemble("MOV 0, 1\n  ADD #4, thre\nthree DAT 0, 0\n")
    error = caught.value
    assert (error.line, error.column, error.text) == (2, 11, "ADD #4, thre")
    assert str(error).startswith("line 2, column 11: 'thre' is not defined; did you mean 'three'?; expected")


MOST_CALLS = 4_000_000
"""Calls of functions on one source; more than twice what the worst attack took when this was written."""
MOST_CHARACTERS = 3 * CHARACTERS_A_STEP * MOST_STEPS
"""Characters looked at for words: each is paid for before it is looked at, at most three times."""


def _work(source: str | bytes, dialect: Dialect) -> int:
    """Returns how many functions are called until a source ends in an error; the same on every run."""
    profile = cProfile.Profile()
    profile.enable()
    try:
        assemble(source, dialect=dialect)
    except RedcodeError:
        return sum(entry.callcount for entry in profile.getstats())
    finally:
        profile.disable()
    raise AssertionError("it was accepted")


@pytest.mark.parametrize("dialect", ["strict", "lenient"])
@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_ends_in_an_error_after_bounded_work(
    name: str, dialect: Dialect, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_at: list[int] = []

    def counted(text: str) -> tuple[Token, ...]:
        looked_at.append(len(text))
        return tokenise(text)

    for module in (comments, lenient, lines):
        monkeypatch.setattr(module, "tokenise", counted)
    assert _work(ATTACKS[name](), dialect) <= MOST_CALLS
    assert sum(looked_at) <= MOST_CHARACTERS


@pytest.mark.parametrize("name", ["labels", "loops without end", "one long sum", "every byte"])
def test_attacks_fail_in_the_older_standard_too(name: str) -> None:
    with pytest.raises(RedcodeError):
        assemble(ATTACKS[name](), dialect="icws88")


@pytest.mark.parametrize(
    "name",
    [
        "labels",
        "a macro of many lines",
        "a macro of itself and of empty lines",
        "a million ends of lines",
        "every byte",
        "loops without end",
    ],
)
def test_attacks_need_little_memory(name: str) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(RedcodeError):
            assemble(ATTACKS[name]())
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 100_000_000


def test_a_hint_at_a_name_is_given_once_and_not_for_each_assertion() -> None:
    source = "".join(f"label{i} NOP 1\n" for i in range(50)) + ";assert labelx\n" * 500 + "JMP labelx\n"
    assert _work(source, "strict") < 200_000


def test_the_specification_s_example_assembles() -> None:
    page = (Path(__file__).parents[4] / "docs/problems/redcode.md").read_text()
    example = page.split("```redcode\n")[1].split("```")[0]
    assert len(assemble(example)) > 5
