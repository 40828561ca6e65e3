"""What an instruction means when it does not say everything: modifiers and missing operands (ICWS'94)."""

from __future__ import annotations

from typing import Final

from speciate.problems.corewar.instructions import Mode, Modifier, Opcode

ONE_OPERAND: Final = frozenset({Opcode.DAT, Opcode.JMP, Opcode.SPL, Opcode.NOP})
"""Opcodes that may stand with one operand. It is the B operand of ``DAT`` and the A operand of the others."""

_WHOLE: Final = frozenset({Opcode.MOV, Opcode.CMP, Opcode.SEQ, Opcode.SNE})
_ARITHMETIC: Final = frozenset({Opcode.ADD, Opcode.SUB, Opcode.MUL, Opcode.DIV, Opcode.MOD})
_BOTH_FIELDS: Final = frozenset({Opcode.DAT, Opcode.NOP})
_COMPARING_B: Final = frozenset({Opcode.SLT, Opcode.LDP, Opcode.STP})


def default_modifier(opcode: Opcode, a_mode: Mode, b_mode: Mode) -> Modifier:
    """Returns the modifier of an instruction that names none.

    Source: ICWS'94 draft standard, section A.2.1.2, extended to the opcodes of pMARS.
    """
    if opcode in _BOTH_FIELDS:
        return Modifier.F
    if opcode in _WHOLE or opcode in _ARITHMETIC or opcode in _COMPARING_B:
        if a_mode is Mode.IMMEDIATE:
            return Modifier.AB
        if b_mode is Mode.IMMEDIATE or opcode in _COMPARING_B:
            return Modifier.B
        return Modifier.I if opcode in _WHOLE else Modifier.F
    return Modifier.B
