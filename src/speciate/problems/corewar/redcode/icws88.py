"""The older standard: which instructions ICWS'88 knows, and with which modes (as ``pmars -8`` has it)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from speciate.problems.corewar.instructions import Instruction, Opcode
from speciate.problems.corewar.redcode.expand import Statement

_ALL: Final = "#$@<"
_ADDRESS: Final = "$@<"
_DATA: Final = "#<"

_MODES: Final[Mapping[Opcode, tuple[str, str]]] = {
    Opcode.DAT: (_DATA, _DATA),
    Opcode.MOV: (_ALL, _ADDRESS),
    Opcode.ADD: (_ALL, _ADDRESS),
    Opcode.SUB: (_ALL, _ADDRESS),
    Opcode.CMP: (_ALL, _ADDRESS),
    Opcode.SLT: (_ALL, _ALL),
    Opcode.JMP: (_ADDRESS, _ALL),
    Opcode.JMZ: (_ADDRESS, _ALL),
    Opcode.JMN: (_ADDRESS, _ALL),
    Opcode.DJN: (_ADDRESS, _ALL),
    Opcode.SPL: (_ADDRESS, _ALL),
}


def check(statement: Statement, instruction: Instruction | None) -> None:
    """Checks a statement against the older standard.

    Args:
        statement: what the source says.
        instruction: what it means; None for a directive.

    Raises:
        RedcodeError: ICWS'88 has no such opcode, directive or mode.
    """
    word = statement.word.text.upper()
    known = word == "END" if instruction is None else instruction.opcode in _MODES
    if not known:
        names = " ".join(opcode.name for opcode in _MODES)
        raise statement.line.error(f"{word} is not in ICWS'88", at=statement.word, expected=f"{names} or END")
    if instruction is None:
        return
    if statement.operands and statement.operands[0].text == ".":
        raise statement.line.error(
            "ICWS'88 has no modifiers", at=statement.operands[0], expected="an operand"
        )
    a, b = _MODES[instruction.opcode]
    if instruction.a_mode.symbol not in a or instruction.b_mode.symbol not in b:
        raise statement.line.error(
            f"ICWS'88 has no {word} {instruction.a_mode.symbol}A,{instruction.b_mode.symbol}B",
            at=statement.word,
            expected=f"{word} with a mode of {' '.join(a)} and one of {' '.join(b)}",
        )
