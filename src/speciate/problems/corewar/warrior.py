"""A warrior, ready to be loaded into a core."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from speciate.problems.corewar.instructions import Instruction, Opcode

CELL_BYTES: Final = 6 * array("i").itemsize
"""Bytes of an instruction in `Warrior.cells`."""


@dataclass(frozen=True)
class Warrior:
    """An assembled warrior.

    Attributes:
        code: its instructions; at least one. Numbers lie in [0, core_size).
        start: offset of the first instruction to run, from its first cell.
        core_size: size of the core it was assembled for.
        pin: warriors with the same number share one P-space; None has its own.
        name: from ``;name``, or an empty string.
        author: from ``;author``, or an empty string.
        strategy: lines of ``;strategy``.
        notes: what the assembler warned of or repaired, one sentence each.
    """

    code: tuple[Instruction, ...]
    start: int = 0
    core_size: int = 8000
    pin: int | None = None
    name: str = ""
    author: str = ""
    strategy: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.code)

    @cached_property
    def opcodes(self) -> frozenset[Opcode]:
        """The opcodes that occur in its code."""
        return frozenset(instruction.opcode for instruction in self.code)

    @cached_property
    def cells(self) -> bytes:
        """Its code as engines take it: opcode, modifier, A mode, A, B mode, B of each, six native ints."""
        rows = ((i.opcode, i.modifier, i.a_mode, i.a, i.b_mode, i.b) for i in self.code)
        return b"".join(array("i", row).tobytes() for row in rows)

    def listing(self) -> str:
        """Returns its load file in pMARS's form: ``ORG`` with the start, then one instruction a line.

        Numbers above half the core are printed as negative ones. Assembling it gives the same code again.
        """
        lines = [f"ORG {self.start}", *(instruction.text(self.core_size) for instruction in self.code)]
        if self.pin is not None:
            lines.insert(1, f"PIN {self.pin}")
        return "\n".join(lines) + "\n"
