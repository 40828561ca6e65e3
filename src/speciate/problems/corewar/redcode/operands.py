"""Second pass: an instruction from its opcode and the tokens behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from speciate.problems.corewar.instructions import Instruction, Mode, Modifier, Opcode
from speciate.problems.corewar.redcode.defaults import ONE_OPERAND, default_modifier
from speciate.problems.corewar.redcode.errors import RedcodeError
from speciate.problems.corewar.redcode.expand import Statement
from speciate.problems.corewar.redcode.expressions import Expressions
from speciate.problems.corewar.redcode.lexer import END, Token
from speciate.problems.corewar.redcode.symbols import Symbols
from speciate.problems.corewar.redcode.words import MODES, MODIFIERS, RESERVED

_A_VALUE: Final = "an A operand: a mode (# $ * @ { < } >) and an expression"
_B_VALUE: Final = "a B operand: a mode (# $ * @ { < } >) and an expression"


@dataclass(frozen=True, slots=True)
class Operand:
    """A mode and the value of an expression, not yet reduced to the core size."""

    mode: Mode
    value: int


class InstructionReader:
    """Reads the modifier and the operands of statements.

    Args:
        symbols: names of the program, every label with its offset.
        core_size: what numbers are reduced to.

    Attributes:
        symbols: as given.
    """

    def __init__(self, symbols: Symbols, core_size: int) -> None:
        self.symbols = symbols
        self._core_size = core_size

    def instruction(self, statement: Statement, opcode: Opcode) -> Instruction:
        """Returns the instruction of a statement.

        Raises:
            RedcodeError: the operands cannot be understood.
        """
        words = self.symbols.replace(statement.operands, statement.line, statement.position)
        modifier, behind = self._modifier(statement, words)
        operands = self._operands(statement, self._mended(statement, words[behind:]))
        if len(operands) == 1:
            if opcode not in ONE_OPERAND:
                raise statement.line.error(
                    f"{opcode.name} has one operand", expected="two operands with a comma between"
                )
            nothing = Operand(Mode.IMMEDIATE if opcode is Opcode.DAT else Mode.DIRECT, 0)
            operands.insert(0 if opcode is Opcode.DAT else 1, nothing)
        a, b = operands
        if modifier is None:
            modifier = default_modifier(opcode, a.mode, b.mode)
        size = self._core_size
        return Instruction(opcode, modifier, a.mode, a.value % size, b.mode, b.value % size)

    def value(self, statement: Statement) -> int | None:
        """Returns the value of the operand of a directive; None if it has none.

        Raises:
            RedcodeError: the operand cannot be understood.
        """
        words = self.symbols.replace(statement.operands, statement.line, statement.position)
        if not words:
            return None
        expression = Expressions(words, statement.line, self.symbols, 0)
        value = expression.read()
        if expression.next is not END:
            raise self._unexpected(statement, expression.next, "one expression")
        return value

    def _modifier(self, statement: Statement, words: Sequence[Token]) -> tuple[Modifier | None, int]:
        """Returns the modifier, or None if there is none, and the index of the token behind it."""
        if not words or words[0].text != ".":
            return None, 0
        name = words[1] if len(words) > 1 else END
        modifier = MODIFIERS.get(name.text.upper())
        if modifier is None:
            raise statement.line.error(
                f"{name.text!r} is not a modifier" if name is not END else "the modifier is missing",
                at=name if name is not END else words[0],
                expected="one of .A .B .AB .BA .F .X .I",
            )
        return modifier, 2

    def _mended(self, statement: Statement, words: Sequence[Token]) -> Sequence[Token]:
        """Returns the tokens of the operands; a more lenient reader repairs them."""
        return words

    def _operands(self, statement: Statement, words: Sequence[Token]) -> list[Operand]:
        """Returns the operands, one or two."""
        expressions = Expressions(words, statement.line, self.symbols, statement.position)
        operands = [self._operand(statement, expressions, words, _A_VALUE)]
        if expressions.next.text == ",":
            expressions.at += 1
            operands.append(self._operand(statement, expressions, words, _B_VALUE))
        if expressions.next is not END:
            raise self._unexpected(
                statement, expressions.next, "',' or the end" if len(operands) == 1 else "the end of the line"
            )
        return operands

    def _operand(
        self, statement: Statement, expressions: Expressions, words: Sequence[Token], expected: str
    ) -> Operand:
        """Returns the next operand. An A operand may be a mode alone, which stands for 0."""
        mode = MODES.get(expressions.next.text)
        if mode is not None:
            expressions.at += 1
            if expressions.next.text == ",":
                return Operand(mode, 0)
        if expressions.next is END:
            raise statement.line.error(f"{statement.word.text.upper()} lacks an operand", expected=expected)
        return Operand(Mode.DIRECT if mode is None else mode, expressions.read())

    def _unexpected(self, statement: Statement, word: Token, expected: str) -> RedcodeError:
        """Returns an error for a token that does not belong there."""
        what = f"the word {word.text!r}" if word.text.upper() in RESERVED else f"{word.text!r}"
        return statement.line.error(f"unexpected {what}", at=word, expected=expected)
