from __future__ import annotations

from itertools import product

import pytest

from speciate.problems.corewar.redcode import RedcodeError, assemble

_LEGAL = {
    "DAT": ("#<", "#<"),
    "MOV": ("#$@<", "$@<"),
    "CMP": ("#$@<", "$@<"),
    "SLT": ("#$@<", "#$@<"),
    "JMP": ("$@<", "#$@<"),
    "SPL": ("$@<", "#$@<"),
    "MUL": ("", ""),
    "NOP": ("", ""),
}


def _accepted(source: str) -> bool:
    try:
        assemble(source, dialect="icws88")
    except RedcodeError:
        return False
    return True


@pytest.mark.parametrize("opcode", _LEGAL)
def test_modes_are_those_of_the_standard(opcode: str) -> None:
    legal = {pair for pair in product("#$*@{<}>", repeat=2) if _accepted(f"{opcode} {pair[0]}1, {pair[1]}2")}
    assert legal == set(product(*_LEGAL[opcode]))


@pytest.mark.parametrize("source", ["MOV.I 0, 1", "ORG 1\nMOV 0, 1\nMOV 0, 1", "PIN 1\nMOV 0, 1"])
def test_what_came_later_is_refused(source: str) -> None:
    assert assemble(source)
    assert not _accepted(source)


def test_its_instructions_get_the_modifiers_of_icws94() -> None:
    warrior = assemble("MOV 0, 1\nADD #4, 3\nDAT #5\nEND 1", dialect="icws88")
    assert [each.text() for each in warrior.code] == ["MOV.I $0,$1", "ADD.AB #4,$3", "DAT.F #0,#5"]
    assert warrior.start == 1
