"""Finds the sites of a Python file through its syntax tree."""

from __future__ import annotations

import ast
import re
import warnings
from functools import lru_cache
from itertools import accumulate

from speciate.mutation.genetic.edits import Span, inside
from speciate.mutation.genetic.sites import (
    Expression,
    Kind,
    Name,
    Number,
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
_SCOPES = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
# Annotations say nothing about what a program does; text with expressions inside has no reliable places.
_SKIPPED_FIELDS = frozenset({"annotation", "returns", "decorator_list", "type_comment", "type_params"})
_SKIPPED_NODES = (ast.JoinedStr, ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop)
_PINNED = (ast.Return, ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal)
_LINE_END = re.compile(rb"\r\n|\r|\n")
_SYMBOL = re.compile(rb"\*\*|//|<<|>>|<=|>=|==|!=|[-+*/%<>&|^@]|\band\b|\bor\b")


class UnparsableError(ValueError):
    """A text is not Python."""


def parse(text: str) -> ast.Module:
    """Returns the syntax tree of `text`; raises UnparsableError if it has none."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # an invalid escape in a candidate is the candidate's business
        try:
            return ast.parse(text)
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
        self.data = text.encode("utf-8", "surrogatepass")
        self.mutable = mutable
        self.lines = [0, *(match.end() for match in _LINE_END.finditer(self.data))]
        if self.data.startswith(b"\xef\xbb\xbf"):
            self.lines[0] = 3  # the parser counts columns after a byte order mark
        self.numbers: list[Number] = []
        self.tables: list[Table] = []
        self.expressions: list[Expression] = []
        self.symbols: list[Symbol] = []
        self.bounds: list[Span] = []
        self.names: list[Name] = []
        self.statements: list[Statement] = []
        self.scopes: list[tuple[Span, set[str]]] = [((0, len(self.data)), set())]
        self.blocks = 0
        self.walk(tree)

    def sites(self) -> Sites:
        """Returns what was found, in the order of the text."""
        tables = [t for t in self.tables if len(t.rows) > 1 or len(t.rows[0]) > 1]
        return Sites(
            data=self.data,
            numbers=tuple(self.numbers),
            tables=tuple(tables),
            expressions=tuple(self.expressions),
            symbols=tuple(self.symbols),
            bounds=tuple(self.bounds),
            names=tuple(self.names),
            scopes=tuple(Scope(span, frozenset(names)) for span, names in self.scopes),
            statements=tuple(self.statements),
            filler=b"pass",
        )

    def walk(self, tree: ast.Module) -> None:
        """Visits every node once, in the order of the text; the stack holds (node, parent, scope, path)."""
        stack: list[tuple[ast.AST, ast.AST, int, str]] = [(tree, tree, 0, "")]
        while stack:
            node, parent, scope, path = stack.pop()
            if isinstance(node, ast.expr) and self.leaf(node, parent, scope):
                continue
            scope, path = self.enter(node, scope, path)
            children: list[ast.AST] = []
            for name, value in ast.iter_fields(node):
                if name in _SKIPPED_FIELDS:
                    continue
                if isinstance(value, list):
                    if value and isinstance(value[0], ast.stmt):
                        self.block(value, path)
                    children += value
                else:
                    children.append(value)
            stack.extend(
                (child, node, scope, path)
                for child in reversed(children)
                if isinstance(child, ast.AST) and not isinstance(child, _SKIPPED_NODES)
            )

    def enter(self, node: ast.AST, scope: int, path: str) -> tuple[int, str]:
        """Notes what `node` binds; returns the scope and the path of its children."""
        names = self.scopes[scope][1]
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                names.add(node.name)
                self.scopes.append((self.span(node), set()))
                return len(self.scopes) - 1, f"{path}{node.name}."
            case ast.ClassDef():
                names.add(node.name)
                return scope, f"{path}{node.name}."
            case ast.Lambda() | ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                self.scopes.append((self.span(node), set()))
                return len(self.scopes) - 1, path
            case ast.arg():
                names.add(node.arg)
            case ast.alias():
                names.add((node.asname or node.name).split(".")[0])
            case ast.ExceptHandler() if node.name:
                names.add(node.name)
        return scope, path

    def leaf(self, node: ast.expr, parent: ast.AST, scope: int) -> bool:
        """Notes an expression; returns whether its children need no visit."""
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            self.scopes[scope][1].add(node.id)
            return True
        span = self.span(node)
        value = _number(node)
        if not inside(span, self.mutable):
            return False
        called = isinstance(parent, ast.Call) and parent.func is node
        if value is not None:
            self.number(node, parent, span, value)
            return True
        if isinstance(node, _DISPLAYS) and not isinstance(parent, _DISPLAYS):
            self.display(node)
        if isinstance(node, ast.Name):
            self.names.append(Name(span, node.id))
        self.operators(node)
        if not called:
            self.expression(node, parent, span)
        elif isinstance(node, (ast.Name, ast.Attribute)):
            word = node.id if isinstance(node, ast.Name) else node.attr
            self.symbols.append(Symbol((span[1] - len(word.encode()), span[1]), word))
        return isinstance(node, (ast.Name, ast.JoinedStr, ast.Constant))

    def number(self, node: ast.expr, parent: ast.AST, span: Span, value: int | float) -> None:
        """Notes a numeric constant, which is an expression too."""
        tight = isinstance(parent, _TIGHT) and not (
            isinstance(parent, ast.Subscript) and parent.slice is node
        )
        self.numbers.append(Number(span, value, tight))
        self.expressions.append(Expression(span, Kind.VALUE, atom=value >= 0, tight=tight))

    def expression(self, node: ast.expr, parent: ast.AST, span: Span) -> None:
        """Notes an expression that is read and may be replaced."""
        kind = Kind.TRUTH if _is_not(node) else _KINDS.get(type(node))
        ctx = node.ctx if isinstance(node, (ast.Attribute, ast.Subscript, ast.List, ast.Tuple)) else None
        if kind is None or isinstance(ctx, (ast.Store, ast.Del)):
            return
        tight = isinstance(parent, _TIGHT) and not (
            isinstance(parent, ast.Subscript) and parent.slice is node
        )
        parts = tuple(self.span(part) for part in _parts(node))
        self.expressions.append(Expression(span, kind, isinstance(node, _ATOMS), tight, parts))

    def display(self, node: ast.expr) -> None:
        """Notes the table that a display of constants makes; its numbers are noted later, in this order."""
        rows = _rows(node)
        if not rows:
            return
        starts = list(accumulate(rows, initial=len(self.numbers)))
        groups = [tuple(range(start, start + size)) for start, size in zip(starts, rows, strict=False)]
        if len(groups) == 1 and not isinstance(node, ast.Tuple):
            groups = [(k,) for k in groups[0]]
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
                self.bounds += [self.span(arg) for arg in node.args if not isinstance(arg, ast.Starred)]

    def symbol(self, left: ast.AST, right: ast.AST) -> None:
        """Notes the operator in the gap between two operands, unless a comment makes it unsure."""
        start, end = self.span(left)[1], self.span(right)[0]
        gap = self.data[start:end]
        found = None if b"#" in gap else _SYMBOL.search(gap)
        if found:
            self.symbols.append(Symbol((start + found.start(), start + found.end()), found[0].decode()))

    def block(self, body: list[ast.stmt], path: str) -> None:
        """Notes the statements of a block that have their lines for themselves."""
        self.blocks += 1
        ends = [-1, *(statement.end_lineno or 0 for statement in body)]
        for statement, before in zip(body, ends, strict=False):
            first = _first_line(statement)
            span = self.line_span(first, statement.end_lineno or first)
            start, end = self.span(statement)
            indent = self.data[self.lines[statement.lineno - 1] : start]
            rest = self.data[end : span[1]].lstrip()
            alone = not indent.strip() and (not rest or rest.startswith(b"#")) and before < first
            if alone and inside(span, self.mutable) and not _is_docstring(statement):
                self.statements.append(self.statement(statement, span, indent, path))

    def statement(self, node: ast.stmt, span: Span, indent: bytes, path: str) -> Statement:
        """Describes a statement of the block visited last."""
        inner = [child for child in ast.walk(node) if child is not node]
        pinned = any(isinstance(child, _PINNED) for child in (node, *inner))
        text = self.data[span[0] : span[1]]
        return Statement(
            span=span,
            indent=indent,
            block=self.blocks,
            path=path + name if (name := _defined(node)) else "",
            body=self.body(node),
            movable=not pinned and b'"""' not in text and b"'''" not in text and b"\\\n" not in text,
            simple=not any(isinstance(child, ast.stmt) for child in inner),
        )

    def body(self, node: ast.stmt) -> Span | None:
        """Returns the lines of the only block of a compound statement, or None."""
        if not isinstance(node, (ast.For, ast.While, ast.If, ast.With)):
            return None
        if (not isinstance(node, ast.With) and node.orelse) or node.body[0].lineno == node.lineno:
            return None
        return self.line_span(node.body[0].lineno, node.body[-1].end_lineno or node.lineno)

    def span(self, node: ast.AST) -> Span:
        """Returns where a node with a position is, in bytes."""
        assert isinstance(node, (ast.expr, ast.stmt))
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return (
            self.lines[node.lineno - 1] + node.col_offset,
            self.lines[node.end_lineno - 1] + node.end_col_offset,
        )

    def line_span(self, first: int, last: int) -> Span:
        """Returns the whole lines from `first` to `last`, counted from 1, with the last one's end."""
        return self.lines[first - 1], self.lines[last] if last < len(self.lines) else len(self.data)


def _number(node: ast.expr) -> int | float | None:
    """Returns the value of a real constant, with a minus in front of it if there is one, or None."""
    match node:
        case ast.Constant(value=bool()):
            return None
        case ast.Constant(value=int() | float() as value):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant() as inner):
            size = _number(inner)
            return None if size is None else -size
    return None


def _rows(node: ast.expr) -> list[int]:
    """Returns the sizes of the innermost rows of a display made of constants only, else an empty list."""
    elements = node.elts if isinstance(node, (ast.List, ast.Tuple, ast.Set)) else []
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


def _first_line(node: ast.stmt) -> int:
    """Returns the first line of a statement, decorators included."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and node.decorator_list:
        return node.decorator_list[0].lineno
    return node.lineno


def _defined(node: ast.stmt) -> str:
    """Returns the name that a statement defines, or an empty string."""
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return name
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            return name
    return ""


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
