from __future__ import annotations

from itertools import product

import pytest

from speciate.problems.corewar.instructions import Mode, Opcode
from speciate.problems.corewar.redcode.defaults import default_modifier

_RULES = {
    "DAT NOP": ("F", "F", "F"),
    "MOV CMP SEQ SNE": ("AB", "B", "I"),
    "ADD SUB MUL DIV MOD": ("AB", "B", "F"),
    "SLT LDP STP": ("AB", "B", "B"),
    "JMP JMZ JMN DJN SPL": ("B", "B", "B"),
}
"""Modifiers for: an immediate A operand; else an immediate B operand; else."""


@pytest.mark.parametrize(("names", "expected"), _RULES.items())
def test_the_default_modifier_depends_on_opcode_and_immediate_modes(
    names: str, expected: tuple[str, str, str]
) -> None:
    for name, a, b in product(names.split(), Mode, Mode):
        case = 0 if a is Mode.IMMEDIATE else 1 if b is Mode.IMMEDIATE else 2
        assert default_modifier(Opcode[name], a, b).name == expected[case]


def test_every_opcode_has_a_rule() -> None:
    assert sorted(" ".join(_RULES).split()) == sorted(Opcode.__members__)
