"""The assembler: a source in, a warrior out."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal

from speciate.problems.corewar.instructions import Instruction
from speciate.problems.corewar.redcode import icws88
from speciate.problems.corewar.redcode.comments import remarks
from speciate.problems.corewar.redcode.errors import RedcodeError
from speciate.problems.corewar.redcode.expand import Expander, Statement
from speciate.problems.corewar.redcode.lenient import LenientReader, begins_again, mend_lines
from speciate.problems.corewar.redcode.limits import LARGEST_SOURCE, MOST_LINES, Budget
from speciate.problems.corewar.redcode.lines import decode, first_program, source_lines
from speciate.problems.corewar.redcode.notes import Notes
from speciate.problems.corewar.redcode.operands import InstructionReader
from speciate.problems.corewar.redcode.symbols import Symbols
from speciate.problems.corewar.settings import Settings
from speciate.problems.corewar.warrior import Warrior

Dialect = Literal["strict", "lenient", "icws88"]

PMARS_VERSION: Final = 92
"""What the predefined name VERSION stands for: the dialect is that of pMARS 0.9.2."""

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
        dialect: ``strict`` accepts what pMARS accepts; ``lenient`` also repairs what models often write, each
            repair being a note; ``icws88`` accepts the older standard alone, as ``pmars -8`` does.
        constants: values of predefined names that the settings do not know (``WARRIORS``, default 1) or that
            shall differ from them.

    Returns:
        The warrior. What was odd and still accepted is said in its notes.

    Raises:
        RedcodeError: the source cannot be assembled; the message says where and what was expected.
    """
    notes, budget = Notes(), Budget()
    lines = source_lines(decode(source, largest=LARGEST_SOURCE, most_lines=MOST_LINES))
    if dialect == "lenient":
        lines = begins_again(mend_lines(lines, notes, budget), notes)
    lines = first_program(lines)
    symbols = Symbols(budget, notes, lenient=dialect == "lenient")
    _predefine(symbols, settings, constants)
    expander = Expander(lines, symbols, settings.max_length)
    expander.run()
    program = _Program(symbols, settings.core_size, dialect)
    for statement in expander.statements:
        program.add(statement)
    if not program.code:
        raise RedcodeError("there is no instruction in the source", expected="at least one, such as MOV 0, 1")
    if not expander.asserted:
        notes.add("no ;assert: the warrior may not suit these settings")
    said = remarks(lines)
    return Warrior(
        code=tuple(program.code),
        start=program.start(),
        core_size=settings.core_size,
        pin=program.pin,
        name=said.name,
        author=said.author,
        strategy=said.strategy,
        notes=tuple(notes),
    )


def _predefine(symbols: Symbols, settings: Settings, constants: Mapping[str, int]) -> None:
    """Defines the names that every program knows."""
    predefined = {
        "CORESIZE": settings.core_size,
        "MAXPROCESSES": settings.processes,
        "MAXCYCLES": settings.cycles,
        "MAXLENGTH": settings.max_length,
        "MINDISTANCE": settings.min_distance,
        "PSPACESIZE": settings.pspace,
        "ROUNDS": settings.rounds,
        "WARRIORS": 1,
        "VERSION": PMARS_VERSION,
        **constants,
    }
    symbols.predefine(predefined.items())
    # What pMARS's score formulas use, warriors and survivors, an expression of a warrior sees too.
    symbols.variables.update(W=predefined["WARRIORS"], S=1)


class _Program:
    """What the second pass has read so far."""

    def __init__(self, symbols: Symbols, core_size: int, dialect: Dialect) -> None:
        self.code: list[Instruction] = []
        self.pin: int | None = None
        self._reader = (LenientReader if dialect == "lenient" else InstructionReader)(symbols, core_size)
        self._core_size = core_size
        self._icws88 = dialect == "icws88"
        self._notes = symbols.notes
        self._origin = 0
        self._end = 0

    def add(self, statement: Statement) -> None:
        """Reads a statement."""
        instruction = None
        if statement.opcode is not None:
            instruction = self._reader.instruction(statement, statement.opcode)
            self.code.append(instruction)
        else:
            self._directive(statement)
        if self._icws88:
            icws88.check(statement, instruction)

    def _directive(self, statement: Statement) -> None:
        """Reads an ORG, END or PIN."""
        value = self._reader.value(statement)
        match statement.word.text.upper():
            case "ORG":
                self._origin = (value or 0) % self._core_size
            case "PIN":
                self.pin = self.pin if value is None else value
            case "END" if value is not None:
                self._end = value
                if self._origin:
                    self._notes.add("ORG and END both name a start; ORG counts", statement.line)

    def start(self) -> int:
        """Returns the offset of the first instruction to run; 0 if ORG or END names none of the program's."""
        named = self._origin or self._end
        start = named % self._core_size
        if start < len(self.code):
            return start
        self._notes.add(f"the start {named} lies outside of the {len(self.code)} instructions; 0 is taken")
        return 0
