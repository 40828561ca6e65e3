"""Arithmetic of the assembler: 64-bit whole numbers, the operators and the division of C.

    expression  = primary { operator primary }
    primary     = { "+" | "-" | "!" } ( number | label | "(" expression ")" | variable [ "=" expression ] )
    operators, weakest first:  ||   &&   == != < > <= >=   + -   * / %

Operators of one strength are worked out from left to right. A stronger operator comes before a weaker one as
usual, with an oddity of pMARS that is kept because hills assemble with it: where a weaker operator is
followed by a stronger one, ``a - b*c …``, and then by one that is at least as strong as the first, *all* that
follows belongs to the right side: ``7-2*3-1`` is ``7-(2*3-1)`` = 2, not 0. A note says where that happens.
Nor can ``==`` follow ``a - b*c``.

A comparison is 1 or 0; ``/`` cuts towards zero and ``%`` has the sign of its left side. Both sides of ``&&``
and ``||`` are always worked out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from speciate.problems.corewar.redcode.errors import RedcodeError
from speciate.problems.corewar.redcode.lexer import END, Token
from speciate.problems.corewar.redcode.limits import DEEPEST
from speciate.problems.corewar.redcode.lines import Line
from speciate.problems.corewar.redcode.symbols import Symbols
from speciate.problems.corewar.redcode.words import RESERVED

_STRENGTHS: Final[Mapping[str, int]] = {
    "||": 1, "&&": 2,
    "==": 3, "!=": 3, "<": 3, ">": 3, "<=": 3, ">=": 3,
    "+": 4, "-": 4,
    "*": 5, "/": 5, "%": 5,
}  # fmt: skip

_OPERATIONS: Final[Mapping[str, Callable[[int, int], int]]] = {
    "||": lambda a, b: int(bool(a) or bool(b)),
    "&&": lambda a, b: int(bool(a) and bool(b)),
    "==": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b),
    "<": lambda a, b: int(a < b),
    ">": lambda a, b: int(a > b),
    "<=": lambda a, b: int(a <= b),
    ">=": lambda a, b: int(a >= b),
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: _quotient(a, b),
    "%": lambda a, b: a - b * _quotient(a, b),
}

_LARGEST: Final = (1 << 63) - 1
_VALUE: Final = "a number, a label, a name or '('"
_UNARY: Final = frozenset("+-!")


def _quotient(a: int, b: int) -> int:
    """Returns a / b cut towards zero."""
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


class _Waiting(NamedTuple):
    """A left side that waits for its right one.

    Attributes:
        value: the left side.
        operator: the operator behind it.
        bound: its right side ends before an operator weaker than this; 0 means it goes to the end.
    """

    value: int
    operator: Token
    bound: int


class Expressions:
    """Reads expressions off the tokens of one line.

    Args:
        words: tokens in which EQUs and loop indexes are replaced (see `Symbols.replace`).
        line: where they stand.
        symbols: labels and variables.
        origin: offset that labels are counted from: that of the instruction, or 0 for ``ORG`` and ``END``.
        hints: whether an error names the defined name that is spelt like an undefined one, which takes long.

    Attributes:
        at: index of the next token.
    """

    __slots__ = ("_depth", "_hints", "_line", "_origin", "_symbols", "_words", "at")

    def __init__(
        self, words: Sequence[Token], line: Line, symbols: Symbols, origin: int, *, hints: bool = True
    ) -> None:
        self._words = (*words, END)
        self._line = line
        self._symbols = symbols
        self._origin = origin
        self._hints = hints
        self._depth = 0
        self.at = 0

    @property
    def next(self) -> Token:
        """The next token, or `END`."""
        return self._words[self.at]

    def read(self) -> int:
        """Returns the value of the expression that begins at the next token, and goes behind it.

        Raises:
            RedcodeError: there is no expression, a name is not defined, or a divisor is 0.
        """
        value = self._primary()
        waiting: list[_Waiting] = []
        bound, fresh = 0, False
        while (strength := self._strength()) > 0:
            operator = self.next
            self.at += 1
            right = self._primary()
            if strength < self._strength():
                waiting.append(_Waiting(value, operator, bound))
                value, bound, fresh = right, strength, True
                continue
            value = self._apply(operator, value, right)
            if fresh:
                value, bound = self._settle(value, bound, waiting)
                fresh = False
            self._remark_grouping(waiting)
        for left in reversed(waiting):
            value = self._apply(left.operator, left.value, value)
        return value

    def _settle(self, value: int, bound: int, waiting: list[_Waiting]) -> tuple[int, int]:
        """Gives a value to the left sides that it completes; returns what comes of it and the new bound."""
        while self._strength() < bound:
            if self.next.text == "==":
                raise self._error_here("'==' cannot follow a-b*c here", "parentheses around its left side")
            left = waiting.pop()
            value, bound = self._apply(left.operator, left.value, value), left.bound
        return value, bound

    def _strength(self) -> int:
        """Returns how strongly the next token binds its sides; 0 if it is no operator."""
        return _STRENGTHS.get(self.next.text, 0)

    def _remark_grouping(self, waiting: list[_Waiting]) -> None:
        """Notes that the next operator belongs to a right side that usually would have ended."""
        if waiting and 0 < self._strength() <= _STRENGTHS[waiting[-1].operator.text]:
            sign = waiting[-1].operator.text
            remark = f"all that follows {sign!r} is worked out before it; parentheses make it clear"
            self._symbols.notes.add(remark, self._line)

    def _apply(self, operator: Token, a: int, b: int) -> int:
        if b == 0 and operator.text in ("/", "%"):
            raise self._line.error(
                f"division by zero: {a} {operator.text} 0", at=operator, expected="another divisor"
            )
        return self._bounded(_OPERATIONS[operator.text](a, b), operator)

    def _bounded(self, value: int, at: Token) -> int:
        if -_LARGEST <= value <= _LARGEST:
            return value
        raise self._line.error("the number is too large", at=at, expected=f"at most {_LARGEST}")

    def _primary(self) -> int:
        """Returns the value of what stands between two operators, its signs applied."""
        signs = []
        while self.next.text in _UNARY:
            signs.append(self.next.text)
            self.at += 1
        value = self._operand()
        for sign in reversed(signs):
            value = -value if sign == "-" else int(not value) if sign == "!" else value
        return value

    def _operand(self) -> int:
        """Returns the value of a number, a name or a parenthesis."""
        word = self.next
        if word.kind in ("digits", "number"):
            self.at += 1
            return self._number(word)
        if word.kind == "name":
            self.at += 1
            return self._name(word)
        if word.text == "(":
            return self._parenthesis()
        found = f"{word.text!r}" if word is not END else "the end of the line"
        raise self._error_here(f"{found} where a value should be", _VALUE)

    def _number(self, word: Token) -> int:
        digits = word.text.lstrip("0")
        if len(digits) > len(str(_LARGEST)):
            raise self._line.error("the number is too large", at=word, expected=f"at most {_LARGEST}")
        return self._bounded(int(digits or "0"), word)

    def _parenthesis(self) -> int:
        self.at += 1
        value = self._nested()
        if self.next.text != ")":
            raise self._error_here("a parenthesis is not closed", "an operator or ')'")
        self.at += 1
        return value

    def _nested(self) -> int:
        """Returns the value of an expression within another one."""
        self._depth += 1
        if self._depth > DEEPEST:
            raise self._error_here("expressions are nested too deep", f"at most {DEEPEST} levels")
        value = self.read()
        self._depth -= 1
        return value

    def _name(self, word: Token) -> int:
        """Returns the value of a label or a variable, which it may assign first."""
        label = self._symbols.label(word, self._line)
        if label is not None:
            return label - self._origin
        if len(word.text) > 1 or word.text == "_":
            if word.text.upper() in RESERVED:
                raise self._line.error(f"{word.text!r} where a value should be", at=word, expected=_VALUE)
            hint = self._symbols.nearest(word.text) if self._hints else ""
            raise self._line.error(
                f"{word.text!r} is not defined{hint}", at=word, expected="a label or an EQU"
            )
        variable = word.text.upper()
        if self.next.text != "=" and variable not in self._symbols.variables:
            self._symbols.notes.add(f"{word.text!r} is no label; as a variable it is 0", self._line)
        if self.next.text == "=":
            self.at += 1
            self._symbols.variables[variable] = self._nested()
        return self._symbols.variables.get(variable, 0)

    def _error_here(self, message: str, expected: str) -> RedcodeError:
        """Returns an error at the next token, or at the line if there is none."""
        word = self.next
        return self._line.error(message, at=None if word is END else word, expected=expected)
