"""The words of the language that no label may have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

from speciate.problems.corewar.instructions import MODE_SYMBOLS, Mode, Modifier, Opcode

Directive = Literal["EQU", "FOR", "ROF", "ORG", "END", "PIN"]

OPCODES: Final[Mapping[str, Opcode]] = Opcode.__members__
MODIFIERS: Final[Mapping[str, Modifier]] = Modifier.__members__
MODES: Final[Mapping[str, Mode]] = {symbol: Mode(number) for number, symbol in enumerate(MODE_SYMBOLS)}
DIRECTIVES: Final[Mapping[str, Directive]] = {
    "EQU": "EQU", "FOR": "FOR", "ROF": "ROF", "ORG": "ORG", "END": "END", "PIN": "PIN",
}  # fmt: skip
RESERVED: Final = frozenset({*OPCODES, *DIRECTIVES})
"""Words that cannot be labels, in capitals; in a source they may be written in any case."""

CURRENT_LINE: Final = "CURLINE"
"""The name that stands for how many instructions come before the one it is used in."""
