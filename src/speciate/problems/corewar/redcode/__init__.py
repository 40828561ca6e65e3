"""Redcode: from source text to warriors and back."""

from speciate.problems.corewar.redcode.assembler import Dialect, assemble
from speciate.problems.corewar.redcode.disassembler import disassemble
from speciate.problems.corewar.redcode.errors import RedcodeError

__all__ = ["Dialect", "RedcodeError", "assemble", "disassemble"]
