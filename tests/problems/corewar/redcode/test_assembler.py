from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from speciate.problems.corewar.instructions import Instruction, Mode, Modifier, Opcode
from speciate.problems.corewar.redcode import Dialect, RedcodeError, assemble, disassemble
from speciate.problems.corewar.settings import Settings
from speciate.problems.corewar.warrior import Warrior

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


def _doubling(depth: int, last: str) -> str:
    """Returns EQUs each of which doubles the next one."""
    names = "".join(f"x{i} EQU x{i + 1} x{i + 1}\n" for i in range(depth))
    return f"{names}x{depth} EQU {last}\nNOP x0 1\n"


_HOSTILE: dict[str, str | bytes] = {
    "ten megabytes": "a" * 10_000_000,
    "ten megabytes of bytes": b"\xff" * 10_000_000,
    "a million lines": "\n" * 999_000,
    "one long line": "NOP " + "1+" * 499_000 + "1",
    "signs": "\n".join(["NOP " + "-" * 1900 + "1"] * 500),
    "labels": "\n".join(f"l{i}" for i in range(49_000)) + "\nNOP lx",
    "labels in other cases": "\n".join(f"l{i}" for i in range(40_000)) + "\n" + "NOP L7x\n" * 90,
    "loops": "FOR 1000000000\nFOR 1000000000\nROF\nROF\nNOP 1\n",
    "deep loops": "FOR 2\n" * 49_000,
    "skipped loops": "FOR 0\n" * 49_000,
    "doubling names": _doubling(40, "1+"),
    "doubling macros": "".join(f"x{i} EQU x{i + 1}\n EQU x{i + 1}\n" for i in range(40))
    + "x40 EQU NOP 1\nx0\n",
    "macro lines": "x EQU a\n" + " EQU a\n" * 49_000 + "x\nx\nx\nNOP 1\n",
    "many names of one EQU": " ".join(f"e{i}" for i in range(400)) + " EQU 1\n" + " EQU 1\n" * 40_000,
    "assertions": ";assert 1+1+1+1+1+1\n" * 49_000,
    "zeros": "\0" * 999_000,
    "every byte": bytes(range(256)) * 3_900,
    "backslashes": "\\\n" * 49_000,
    "wide characters": "\ufdfa" * 300_000,
    "digits": "1" * 900_000,
}


@pytest.mark.parametrize("dialect", _DIALECTS)
@pytest.mark.parametrize("name", _HOSTILE)
def test_hostile_sources_end_in_an_error(name: str, dialect: Dialect) -> None:
    with pytest.raises(RedcodeError):
        assemble(_HOSTILE[name], dialect=dialect)


@pytest.mark.parametrize("name", ["labels", "macro lines", "a million lines", "every byte", "loops"])
def test_hostile_sources_need_little_memory(name: str) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(RedcodeError):
            assemble(_HOSTILE[name])
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 100_000_000


def test_the_specification_s_example_assembles() -> None:
    page = (Path(__file__).parents[4] / "docs/problems/redcode.md").read_text()
    example = page.split("```redcode\n")[1].split("```")[0]
    assert len(assemble(example)) > 5
