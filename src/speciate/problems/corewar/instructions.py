"""What a core cell holds: opcode, modifier, two modes and two numbers (ICWS'94 with the pMARS extensions)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Final


class Opcode(IntEnum):
    """What an instruction does. ``CMP`` and ``SEQ`` do the same and are still different cells."""

    DAT = 0
    MOV = 1
    ADD = 2
    SUB = 3
    MUL = 4
    DIV = 5
    MOD = 6
    JMP = 7
    JMZ = 8
    JMN = 9
    DJN = 10
    SPL = 11
    SLT = 12
    CMP = 13
    SEQ = 14
    SNE = 15
    NOP = 16
    LDP = 17
    STP = 18


class Modifier(IntEnum):
    """Which fields an instruction works on."""

    A = 0
    B = 1
    AB = 2
    BA = 3
    F = 4
    X = 5
    I = 6  # noqa: E741 (the standard's own name)


class Mode(IntEnum):
    """How a field becomes an address."""

    IMMEDIATE = 0
    DIRECT = 1
    A_INDIRECT = 2
    B_INDIRECT = 3
    A_PREDECREMENT = 4
    B_PREDECREMENT = 5
    A_POSTINCREMENT = 6
    B_POSTINCREMENT = 7

    @property
    def symbol(self) -> str:
        """The character that stands for it in source text."""
        return MODE_SYMBOLS[self]


MODE_SYMBOLS: Final = "#$*@{<}>"
"""Symbols of the modes, in their order."""


@dataclass(frozen=True, slots=True)
class Instruction:
    """One cell. Both numbers lie in [0, core size)."""

    opcode: Opcode
    modifier: Modifier
    a_mode: Mode
    a: int
    b_mode: Mode
    b: int

    def text(self, core_size: int | None = None) -> str:
        """Returns it as a load file has it, for example ``MOV.I $0,$1``.

        Args:
            core_size: with it numbers above half the core are printed as negative ones, as pMARS prints
                them; None prints them as they are stored.
        """
        a, b = (_signed(value, core_size) if core_size else value for value in (self.a, self.b))
        return f"{self.opcode.name}.{self.modifier.name} {self.a_mode.symbol}{a},{self.b_mode.symbol}{b}"


def _signed(value: int, core_size: int) -> int:
    """Returns the number of (-core_size/2, core_size/2] that is the same address."""
    return value if value <= core_size // 2 else value - core_size


EMPTY: Final = Instruction(Opcode.DAT, Modifier.F, Mode.DIRECT, 0, Mode.DIRECT, 0)
"""What every cell holds before the warriors are loaded."""
