"""Finds the statements of Python blocks that have their lines for themselves."""

from __future__ import annotations

import ast
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace

from speciate.mutation.genetic.edits import Span, inside
from speciate.mutation.genetic.positions import Positions
from speciate.mutation.genetic.sites import Statement

PINNED = (ast.Return, ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal)
"""Statements that stay where they are, with all that surrounds them."""

_SEVERAL_LINES = (b'"""', b"'''", b"\\\n", b"\\\r")
"""What may carry text over a line end, so that an indentation is not just white space."""


def statements(
    body: Sequence[ast.stmt], positions: Positions, mutable: Sequence[Span], *, block: int, path: str
) -> Iterator[Statement]:
    """Yields the statements of one block that lie in mutable text and share no line with others.

    Whether one holds a pinned statement is not looked at here; see `pin`.
    """
    data, previous = positions.data, 0
    for node in body:
        first, last = _first_line(node), node.end_lineno or node.lineno
        span = positions.lines(first, last)
        start, end = positions.span(node)
        indent = data[positions.line(node.lineno) : start]
        rest = data[end : span[1]].lstrip()
        alone = not indent.strip() and (not rest or rest.startswith(b"#")) and previous < first
        previous = last
        if alone and inside(span, mutable) and not _is_text(node):
            text = data[span[0] : span[1]]
            yield Statement(
                span=span,
                indent=indent,
                block=block,
                path=path + name if (name := _defined(node)) else "",
                body=_body(node, positions),
                movable=not any(mark in text for mark in _SEVERAL_LINES),
                simple=not isinstance(node, _COMPOUND),
            )


def pin(found: Sequence[Statement], pinned: Sequence[int]) -> list[Statement]:
    """Returns the statements, those around a pinned one marked as not movable.

    Args:
        found: the statements.
        pinned: where pinned statements start, increasing.
    """
    answer = []
    for statement in found:
        start, end = statement.span
        at = bisect_left(pinned, start)
        holds = at < len(pinned) and pinned[at] < end
        answer.append(replace(statement, movable=False) if holds and statement.movable else statement)
    return answer


_COMPOUND = (
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.ClassDef,
    ast.For,
    ast.AsyncFor,
    ast.While,
    ast.If,
    ast.With,
    ast.AsyncWith,
    ast.Match,
    ast.Try,
    ast.TryStar,
)


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


def _body(node: ast.stmt, positions: Positions) -> Span | None:
    """Returns the lines of the only block of a compound statement, or None."""
    if not isinstance(node, (ast.For, ast.While, ast.If, ast.With)):
        return None
    if (not isinstance(node, ast.With) and node.orelse) or node.body[0].lineno == node.lineno:
        return None
    return positions.lines(_first_line(node.body[0]), node.body[-1].end_lineno or node.lineno)


def _is_text(node: ast.stmt) -> bool:
    """Returns whether a statement is a constant alone, for example a docstring."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
