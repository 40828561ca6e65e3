"""Finds the sites of a Python file through its syntax tree."""

from __future__ import annotations

import ast
import math
import re
import warnings
from functools import lru_cache
from itertools import accumulate

from speciate.mutation.genetic.edits import Span, inside
from speciate.mutation.genetic.positions import Positions
from speciate.mutation.genetic.python_blocks import PINNED, pin, statements
from speciate.mutation.genetic.sites import (
    Expression,
    Kind,
    Name,
    Number,
    Real,
    Scope,
    Sites,
    Statement,
    Symbol,
    Table,
)

_KINDS: dict[type[ast.AST], Kind] = {
    **dict.fromkeys(
        (ast.BinOp, ast.UnaryOp, ast.Name, ast.Attribute, ast.Subscript, ast.Call, ast.IfExp), Kind.VALUE
    ),
    **dict.fromkeys((ast.Compare, ast.BoolOp), Kind.TRUTH),
    **dict.fromkeys((ast.List, ast.ListComp), Kind.LIST),
    **dict.fromkeys((ast.Dict, ast.DictComp), Kind.MAPPING),
    **dict.fromkeys((ast.Set, ast.SetComp), Kind.SET),
    ast.Tuple: Kind.TUPLE,
    ast.Lambda: Kind.FUNCTION,
}
_ATOMS = (ast.Name, ast.Attribute, ast.Subscript, ast.Call, ast.List, ast.ListComp, ast.Dict, ast.DictComp)
_TIGHT = (
    ast.BinOp,
    ast.UnaryOp,
    ast.BoolOp,
    ast.Compare,
    ast.Attribute,
    ast.Subscript,
    ast.IfExp,
    ast.Starred,
)
_DISPLAYS = (ast.List, ast.Tuple, ast.Set)
# Annotations say nothing about what a program does; operators and contexts have no place in the text.
_SKIPPED_FIELDS = frozenset(
    {"annotation", "returns", "decorator_list", "type_comment", "type_params", "ctx", "op", "ops", "kind"}
)
_SYMBOL = re.compile(rb"\*\*|//|<<|>>|<=|>=|==|!=|[-+*/%<>&|^@]|\band\b|\bor\b")


class UnparsableError(ValueError):
    """A text is not Python."""


def parse(text: str) -> ast.Module:
    """Returns the syntax tree of `text`; raises UnparsableError if it has none."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # an invalid escape in a candidate is the candidate's business
        try:
            return ast.parse(text.removeprefix("\ufeff"))
        except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
            raise UnparsableError(str(error)) from error


@lru_cache(maxsize=128)
def python_sites(text: str, mutable: tuple[Span, ...]) -> Sites:
    """Returns the sites of a Python file that lie within the `mutable` spans (in bytes).

    The last 128 answers are kept, since good parents are chosen again and again.

    Raises:
        UnparsableError: the text is not Python.
    """
    return _Finder(text, parse(text), mutable).sites()


class _Finder:
    """One pass over a tree. A stack instead of recursion stands any depth of nesting."""

    def __init__(self, text: str, tree: ast.Module, mutable: tuple[Span, ...]) -> None:
        self.positions = Positions(text.encode("utf-8"))
        self.mutable = mutable
        self.numbers: list[Number] = []
        self.tables: list[Table] = []
        self.expressions: list[Expression] = []
        self.symbols: list[Symbol] = []
        self.bounds: list[Span] = []
        self.names: list[Name] = []
        self.statements: list[Statement] = []
        self.pinned: list[int] = []
        self.scopes: list[tuple[Span, set[str]]] = [((0, len(self.positions.data)), set())]
        self.blocks = 0
        self.walk(tree)

    def sites(self) -> Sites:
        """Returns what was found, in the order of the text."""
        return Sites(
            data=self.positions.data,
            numbers=tuple(self.numbers),
            tables=tuple(self.tables),
            expressions=tuple(self.expressions),
            symbols=tuple(self.symbols),
            bounds=tuple(self.bounds),
            names=tuple(self.names),
            scopes=tuple(Scope(span, frozenset(names)) for span, names in self.scopes),
            statements=tuple(pin(self.statements, self.pinned)),
            filler=b"pass",
        )

    def walk(self, tree: ast.Module) -> None:
        """Visits every node once, in the order of the text; the stack holds (node, parent, scope, path)."""
        stack: list[tuple[ast.AST, ast.AST, int, str]] = [(tree, tree, 0, "")]
        while stack:
            node, parent, scope, path = stack.pop()
            if isinstance(node, ast.expr):
                if self.leaf(node, parent, scope):
                    continue
            elif isinstance(node, PINNED):
                self.pinned.append(self.positions.span(node)[0])
            scope, path = self.enter(node, scope, path)
            children = self.children(node, path)
            stack.extend((child, node, scope, path) for child in reversed(children))

    def children(self, node: ast.AST, path: str) -> list[ast.AST]:
        """Returns the children that matter, and notes the blocks among them."""
        found: list[ast.AST] = []
        for name, value in ast.iter_fields(node):
            if name in _SKIPPED_FIELDS:
                continue
            if isinstance(value, ast.AST):
                found.append(value)
            elif isinstance(value, list):
                if value and isinstance(value[0], ast.stmt):
                    self.blocks += 1
                    self.statements += statements(
                        value, self.positions, self.mutable, block=self.blocks, path=path
                    )
                found += [child for child in value if isinstance(child, ast.AST)]
        return found

    def enter(self, node: ast.AST, scope: int, path: str) -> tuple[int, str]:
        """Notes what `node` binds; returns the scope and the path of its children."""
        names = self.scopes[scope][1]
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                names.add(node.name)
                return self.scope(node), f"{path}{node.name}."
            case ast.ClassDef():
                names.add(node.name)
                return scope, f"{path}{node.name}."
            case ast.Lambda() | ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                return self.scope(node), path
            case ast.arg():
                names.add(node.arg)
            case ast.alias():
                names.add((node.asname or node.name).split(".")[0])
            case ast.ExceptHandler(name=str() as name):
                names.add(name)
        return scope, path

    def scope(self, node: ast.expr | ast.stmt) -> int:
        """Opens the scope of a function, lambda or comprehension and returns its number."""
        self.scopes.append((self.positions.span(node), set()))
        return len(self.scopes) - 1

    def leaf(self, node: ast.expr, parent: ast.AST, scope: int) -> bool:
        """Notes an expression; returns whether its children need no visit."""
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            self.scopes[scope][1].add(node.id)
            return True
        span = self.positions.span(node)
        if not inside(span, self.mutable):
            return isinstance(node, ast.Constant)
        value = _number(node)
        tight = isinstance(parent, _TIGHT) and not (
            isinstance(parent, ast.Subscript) and parent.slice is node
        )
        if value is not None:
            self.numbers.append(Number(span, value, tight))
            self.expressions.append(Expression(span, Kind.VALUE, atom=value >= 0, tight=tight))
            return True
        if isinstance(node, ast.Name):
            self.names.append(Name(span, node.id))
        elif isinstance(node, _DISPLAYS) and not isinstance(parent, _DISPLAYS):
            self.display(node)
        if isinstance(parent, ast.Call) and parent.func is node:
            self.called(node, span)
        else:
            self.expression(node, span, tight=tight)
        # The places of expressions inside an f-string are not to be trusted before Python 3.12.
        return isinstance(node, (ast.Name, ast.JoinedStr, ast.Constant))

    def called(self, node: ast.expr, span: Span) -> None:
        """Notes the last word of what is called: a function of the same family may stand there."""
        word = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
        if word:
            self.symbols.append(Symbol((span[1] - len(word.encode()), span[1]), word))

    def expression(self, node: ast.expr, span: Span, *, tight: bool) -> None:
        """Notes an expression that is read and may be replaced, and the operator in it."""
        self.operators(node)
        kind = Kind.TRUTH if _is_not(node) else _KINDS.get(type(node))
        stored = isinstance(node, (ast.Attribute, ast.Subscript, ast.List, ast.Tuple)) and not isinstance(
            node.ctx, ast.Load
        )
        if kind is not None and not stored:
            parts = tuple(map(self.positions.span, _parts(node)))
            self.expressions.append(Expression(span, kind, isinstance(node, _ATOMS), tight, parts))

    def display(self, node: ast.expr) -> None:
        """Notes the table that a display of constants makes. Its constants are the next to be visited."""
        rows = _rows(node)
        starts = accumulate(rows, initial=len(self.numbers))
        groups = [tuple(range(start, start + size)) for start, size in zip(starts, rows, strict=False)]
        if len(groups) == 1 and not isinstance(node, ast.Tuple):
            groups = [(k,) for k in groups[0]]
        if sum(rows) > 1:
            self.tables.append(Table(tuple(groups)))

    def operators(self, node: ast.expr) -> None:
        """Notes the operator between two operands, and the bounds of a loop."""
        match node:
            case ast.BinOp():
                self.symbol(node.left, node.right)
            case ast.Compare() if len(node.ops) == 1:
                self.symbol(node.left, node.comparators[0])
            case ast.BoolOp():
                self.symbol(node.values[0], node.values[1])
            case ast.Call(func=ast.Name(id="range")):
                args = [arg for arg in node.args if not isinstance(arg, ast.Starred)]
                self.bounds += map(self.positions.span, args)

    def symbol(self, left: ast.expr, right: ast.expr) -> None:
        """Notes the operator in the gap between two operands, unless a comment makes it unsure."""
        start, end = self.positions.span(left)[1], self.positions.span(right)[0]
        gap = self.positions.data[start:end]
        found = None if b"#" in gap else _SYMBOL.search(gap)
        if found:
            self.symbols.append(Symbol((start + found.start(), start + found.end()), found[0].decode()))


def _number(node: ast.expr) -> Real | None:
    """Returns the value of a real constant, with a minus in front of it if there is one, or None."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        size = _number(node.operand) if isinstance(node.operand, ast.Constant) else None
        return None if size is None else -size
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        value = node.value
        assert isinstance(value, (int, float))
        return value if abs(value) < math.inf else None  # 1e999 is infinite and has no text of its own
    return None


def _rows(node: ast.expr) -> list[int]:
    """Returns the sizes of the innermost rows of a display made of constants only, else an empty list."""
    elements = node.elts if isinstance(node, _DISPLAYS) else []
    if all(_number(element) is not None for element in elements):
        return [len(elements)] if elements else []
    inner = [_rows(element) for element in elements]
    return [size for rows in inner for size in rows] if all(inner) else []


def _is_not(node: ast.expr) -> bool:
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)


def _parts(node: ast.expr) -> list[ast.expr]:
    """Returns the operands, arguments or branches of an expression that may stand for the whole."""
    match node:
        case ast.BinOp(left=left, right=right):
            return [left, right]
        case ast.UnaryOp(operand=operand):
            return [operand]
        case ast.BoolOp(values=values):
            return values
        case ast.IfExp(body=body, orelse=orelse):
            return [body, orelse]
        case ast.Call(args=args):
            return [arg for arg in args if not isinstance(arg, (ast.Starred, ast.GeneratorExp))]
    return []
