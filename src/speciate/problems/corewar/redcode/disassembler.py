"""Instructions back to text."""

from __future__ import annotations

from collections.abc import Iterable

from speciate.problems.corewar.instructions import Instruction


def disassemble(instructions: Iterable[Instruction], core_size: int) -> str:
    """Returns instructions as source text, one a line, for example ``MOV.I $0,$1``.

    Args:
        instructions: cells of a core or the code of a warrior.
        core_size: size of the core; numbers above its half are written as negative ones.
    """
    return "".join(f"{instruction.text(core_size)}\n" for instruction in instructions)
