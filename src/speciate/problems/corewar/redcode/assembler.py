"""The assembler: a source in, a warrior out."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal

from speciate.problems.corewar.instructions import Instruction
from speciate.problems.corewar.redcode.comments import remarks
from speciate.problems.corewar.redcode.errors import RedcodeError
from speciate.problems.corewar.redcode.expand import Expander, Statement
from speciate.problems.corewar.redcode.limits import LARGEST_SOURCE, Budget
from speciate.problems.corewar.redcode.lines import decode, program_lines
from speciate.problems.corewar.redcode.notes import Notes
from speciate.problems.corewar.redcode.operands import InstructionReader
from speciate.problems.corewar.redcode.symbols import Symbols
from speciate.problems.corewar.settings import Settings
from speciate.problems.corewar.warrior import Warrior

Dialect = Literal["strict", "lenient", "icws88"]

PMARS_VERSION: Final = 92
"""What the predefined name VERSION stands for: the rules are those of pMARS 0.9.2."""

_NO_CONSTANTS: Final[Mapping[str, int]] = MappingProxyType({})
_STANDARD: Final = Settings()


def assemble(
    source: str | bytes,
    settings: Settings = _STANDARD,
    *,
    dialect: Dialect = "strict",
    constants: Mapping[str, int] = _NO_CONSTANTS,
) -> Warrior:
    """Returns the warrior that a Redcode source describes.

    Args:
        source: the text. Bytes that are not UTF-8 are read as Latin-1.
        settings: the core that it is assembled for; also what the predefined names stand for.
        dialect: ``strict`` accepts what pMARS accepts.
        constants: values of predefined names that the settings do not know (``WARRIORS``, default 1) or that
            shall differ from them.

    Returns:
        The warrior. What was odd and still accepted is said in its notes.

    Raises:
        RedcodeError: the source cannot be assembled; the message says where and what was expected.
    """
    lines = program_lines(decode(source, LARGEST_SOURCE))
    symbols = Symbols(Budget(), Notes())
    symbols.predefine((_predefined(settings) | dict(constants)).items())
    expander = Expander(lines, symbols, settings.max_length)
    expander.run()
    program = _Program(InstructionReader(symbols, settings.core_size), symbols.notes)
    for statement in expander.statements:
        program.add(statement)
    if not program.code:
        raise RedcodeError("there is no instruction in the source", expected="at least one, such as MOV 0, 1")
    if not expander.asserted:
        symbols.notes.add("no ;assert: the warrior may not suit these settings")
    said = remarks(lines)
    return Warrior(
        code=tuple(program.code),
        start=program.start(settings.core_size),
        core_size=settings.core_size,
        pin=program.pin,
        name=said.name,
        author=said.author,
        strategy=said.strategy,
        notes=tuple(symbols.notes),
    )


class _Program:
    """What the second pass has read so far."""

    def __init__(self, reader: InstructionReader, notes: Notes) -> None:
        self.code: list[Instruction] = []
        self.pin: int | None = None
        self._reader = reader
        self._notes = notes
        self._origin: int | None = None
        self._end: int | None = None

    def add(self, statement: Statement) -> None:
        """Reads a statement."""
        if statement.opcode is not None:
            self.code.append(self._reader.instruction(statement, statement.opcode))
            return
        value = self._reader.value(statement)
        match statement.word.text.upper():
            case "ORG":
                self._origin = value or 0
            case "PIN":
                self.pin = self.pin if value is None else value
            case "END":
                self._end = value
                if value is not None and self._origin is not None:
                    self._notes.add(
                        f"line {statement.line.number}: ORG and END both name a start; ORG counts"
                    )

    def start(self, core_size: int) -> int:
        """Returns the offset of the first instruction to run; 0 if ORG or END names none of the program's."""
        named = self._end if self._origin is None else self._origin
        start = (named or 0) % core_size
        if start < len(self.code):
            return start
        self._notes.add(f"the start {named} lies outside of the {len(self.code)} instructions; 0 is taken")
        return 0


def _predefined(settings: Settings) -> dict[str, int]:
    """Returns the predefined names and their values."""
    return {
        "CORESIZE": settings.core_size,
        "MAXPROCESSES": settings.processes,
        "MAXCYCLES": settings.cycles,
        "MAXLENGTH": settings.max_length,
        "MINDISTANCE": settings.min_distance,
        "PSPACESIZE": settings.pspace,
        "ROUNDS": settings.rounds,
        "WARRIORS": 1,
        "VERSION": PMARS_VERSION,
    }
