"""The places of a program at which genetic operators may work, without a syntax tree."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from speciate.mutation.genetic.edits import Span

Real: TypeAlias = int | float


class Kind(StrEnum):
    """What an expression stands for; one may replace another of its kind."""

    VALUE = "value"
    TRUTH = "truth"
    LIST = "list"
    TUPLE = "tuple"
    MAPPING = "mapping"
    SET = "set"
    FUNCTION = "function"


@dataclass(frozen=True, slots=True)
class Number:
    """A numeric constant with its sign.

    Attributes:
        span: the constant, including a minus in front of it.
        value: its value.
        tight: whether a negative value must be put in parentheses here.
    """

    span: Span
    value: Real
    tight: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """Constants that stand together in a list, tuple or set: its innermost rows, as number indices.

    A flat list is a table of rows of one number each.
    """

    rows: tuple[tuple[int, ...], ...]

    @property
    def regular(self) -> bool:
        """Whether all rows have the same length, so that columns make sense."""
        return len({len(row) for row in self.rows}) == 1


@dataclass(frozen=True, slots=True)
class Expression:
    """An expression that may be replaced.

    Attributes:
        span: where it is.
        kind: what may replace it.
        atom: whether it can stand anywhere without parentheses.
        tight: whether only an atom may stand in its place.
        parts: its operands or arguments.
    """

    span: Span
    kind: Kind
    atom: bool
    tight: bool
    parts: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Symbol:
    """An operator or a called name that has siblings: its place and its text."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Name:
    """A variable that is read."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Scope:
    """A module, function, lambda or comprehension and the names that it binds."""

    span: Span
    names: frozenset[str]


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement that has its lines for itself.

    Attributes:
        span: its whole lines, with the last line's end; decorators included.
        indent: the white space before it.
        block: number of the block it belongs to.
        path: qualified name of what it defines (function, class, or a variable by plain assignment), or "".
        body: whole lines of its only block if it is a compound statement without other branches, else None.
        movable: whether it can be re-indented, copied and deleted: no text over several lines, no
            ``return`` or import.
        simple: whether it contains no other statement.
    """

    span: Span
    indent: bytes
    block: int
    path: str
    body: Span | None
    movable: bool
    simple: bool


@dataclass(frozen=True, slots=True, eq=False)
class Sites:
    """Everything an operator may touch in one file. All spans lie in mutable text, but for scopes.

    Attributes:
        data: the file's UTF-8.
        bounds: arguments of ``range``.
        filler: the statement that stands in an empty block, or nothing if none is needed.
    """

    data: bytes
    numbers: tuple[Number, ...] = ()
    tables: tuple[Table, ...] = ()
    expressions: tuple[Expression, ...] = ()
    symbols: tuple[Symbol, ...] = ()
    bounds: tuple[Span, ...] = ()
    names: tuple[Name, ...] = ()
    scopes: tuple[Scope, ...] = ()
    statements: tuple[Statement, ...] = ()
    filler: bytes = b""

    def text(self, span: Span) -> bytes:
        """Returns the text at `span`."""
        return self.data[span[0] : span[1]]

    def visible(self, at: Span) -> frozenset[str]:
        """Returns the names bound in the scopes around `at`, without built-in ones."""
        around = [s.names for s in self.scopes if s.span[0] <= at[0] and at[1] <= s.span[1]]
        return frozenset[str]().union(*around)

    def read(self, within: Span) -> frozenset[str]:
        """Returns the names read within a span and not bound by a scope inside it."""
        start, end = within
        inner = [s.names for s in self.scopes if start <= s.span[0] and s.span[1] <= end]
        found = {n.text for n in self.names if start <= n.span[0] and n.span[1] <= end}
        return frozenset(found).difference(*inner)
