"""Finds the sites of a C++ file by its syntax tree: constants, operators and whole statements."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from speciate.errors import MissingExtraError
from speciate.mutation import Number, Sites, Span, Statement, Symbol

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

_DECIMAL = re.compile(rb"(?P<digits>-?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)[a-zA-Z]*")
_LONGEST = 40
_OPERATORS = frozenset(["+", "-", "*", "/", "%", "<", "<=", ">", ">=", "==", "!=", "&&", "||", "<<", ">>"])
_PINNED = frozenset(["return_statement", "break_statement", "continue_statement", "goto_statement"])
"""Statements that stay where they are: around them most changes only make a function that returns nothing."""


@lru_cache(maxsize=1)
def parser() -> Parser:
    """Returns the parser of C++; raises MissingExtraError without the extra."""
    try:
        import tree_sitter
        import tree_sitter_cpp
    except ImportError as error:
        raise MissingExtraError("the proposer cpp", "cpp") from error
    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_cpp.language()))


def faults(text: bytes) -> int:
    """Returns how many places of a text do not parse as C++."""
    return sum(node.is_error or node.is_missing for node in _nodes(parser().parse(text).root_node))


@lru_cache(maxsize=64)
def cpp_sites(text: str, mutable: tuple[Span, ...]) -> Sites:
    """Returns the sites of a file that lie within the `mutable` spans (in bytes)."""
    data = text.encode("utf-8", "surrogatepass")
    numbers: list[Number] = []
    symbols: list[Symbol] = []
    statements: list[Statement] = []
    for node in _nodes(parser().parse(data).root_node):
        if not any(start <= node.start_byte and node.end_byte <= end for start, end in mutable):
            continue
        if node.type == "number_literal":
            numbers += _number(node, data)
        elif node.type == "binary_expression" and (operator := node.child_by_field_name("operator")):
            if operator.type in _OPERATORS:
                symbols.append(Symbol((operator.start_byte, operator.end_byte), operator.type))
        elif node.type == "compound_statement":
            statements += _statements(node, data, mutable)
    return Sites(
        data=data,
        numbers=tuple(numbers),
        symbols=tuple(symbols),
        statements=tuple(sorted(statements, key=lambda statement: statement.span)),
    )


def _nodes(root: Node) -> Iterator[Node]:
    """Yields a tree's nodes in the order of the text, without recursion."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += reversed(node.children)


def _number(node: Node, data: bytes) -> Iterator[Number]:
    """Yields a decimal constant with its sign and without its suffix; nothing for other notations."""
    found = _DECIMAL.fullmatch(data[node.start_byte : node.end_byte])
    digits = found["digits"] if found else b""
    whole = digits.lstrip(b"-").isdigit()
    octal = whole and digits.lstrip(b"-").startswith(b"0") and len(digits.lstrip(b"-")) > 1
    if not digits or len(digits) > _LONGEST or octal:
        return
    value = int(digits) if whole else float(digits)
    end = node.start_byte + len(digits)
    above = node.parent
    if (
        above is not None
        and above.type == "unary_expression"
        and data[above.start_byte : node.start_byte] == b"-"
    ):
        yield Number((above.start_byte, end), -value, tight=True)
    else:
        yield Number((node.start_byte, end), value, tight=True)


def _statements(block: Node, data: bytes, mutable: Sequence[Span]) -> Iterator[Statement]:
    """Yields the statements of one block that have their lines for themselves."""
    for node in block.named_children:
        start = data.rfind(b"\n", 0, node.start_byte) + 1
        line_end = data.find(b"\n", node.end_byte)
        end = len(data) if line_end < 0 else line_end + 1
        indent, rest = data[start : node.start_byte], data[node.end_byte : end].strip()
        alone = not indent.strip() and (not rest or rest.startswith(b"//"))
        inside = any(first <= start and end <= last for first, last in mutable)
        if node.type != "comment" and alone and inside:
            movable = node.type != "declaration" and not any(inner.type in _PINNED for inner in _nodes(node))
            yield Statement(
                (start, end), indent, block.start_byte, path="", body=None, movable=movable, simple=True
            )
