"""What a Python program does, as paths through its syntax tree, whatever its names are."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from speciate.novelty.hashing import joined, label

_ROOT = 0

Counts = Callable[[int], bool]
"""Says whether the code in a line, counted from 1, is to be looked at."""


@dataclass
class _Names:
    """Where the names in a program come from.

    Attributes:
        own: names and attributes that the program itself gives.
        modules: what is imported, by the name it has here.
    """

    own: set[str] = field(default_factory=set)
    modules: dict[str, str] = field(default_factory=dict)

    def of(self, name: str, kind: str) -> str:
        """Returns what a name says: nothing but its kind if the program made it up."""
        known = self.modules.get(name)
        if known is not None:
            return f"{kind} {known}"
        return kind if name in self.own else f"{kind} {name}"


def python_paths(text: str, counts: Counts = lambda _: True) -> list[int]:
    """Returns the features of a Python source: each node with up to three of those above it, and neighbours.

    Names that the program gives itself are left out, so renaming changes nothing. Literals are kept, and so
    are names from elsewhere: ``math.sin`` is not ``math.cos``. Docstrings say nothing.

    Args:
        text: the source.
        counts: which lines are looked at; a node without a line goes by the one above it.

    Raises:
        SyntaxError, ValueError, OverflowError, MemoryError, RecursionError: the parser does not take it.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # doubtful escapes are the candidate's affair
        tree = ast.parse(text.removeprefix("\ufeff"))
    names = _names(tree)
    features: list[int] = []
    open_nodes: list[tuple[ast.AST, tuple[int, int], int, bool]] = [(tree, (_ROOT, _ROOT), _ROOT, True)]
    while open_nodes:
        node, above, role, counted = open_nodes.pop()
        if isinstance(node, ast.stmt | ast.expr):
            counted = counts(node.lineno)
        one = joined(role, label(_saying(node, names)))
        two, three = joined(above[0], one), joined(above[1], one)
        if counted:
            features += (one, two, three)
        for place, children in _children(node):
            before = _ROOT
            for child in children:
                open_nodes.append((child, (one, two), place, counted))
                if counted and len(children) > 1:
                    after = label(_face(child, names))
                    features.append(joined(joined(place, before), after))
                    before = after
    return features


def _children(node: ast.AST) -> Iterator[tuple[int, Sequence[ast.AST]]]:
    """Yields the nodes below a node, with the role that they have there."""
    for name, value in ast.iter_fields(node):
        if isinstance(value, list):
            nodes = [child for child in value if isinstance(child, ast.AST) and not _is_docstring(child)]
            if nodes:
                yield label(name), nodes
        elif isinstance(value, ast.AST) and not isinstance(value, ast.expr_context):
            yield label(name), (value,)


def _is_docstring(node: ast.AST) -> bool:
    """Says whether a node is a text that stands alone: a docstring, or one that does nothing."""
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _face(node: ast.AST, names: _Names) -> str:
    """Returns what a node looks like to its neighbours: a statement shows what is directly below it."""
    if not isinstance(node, ast.stmt):
        return _saying(node, names)
    return " ".join([_saying(node, names), *(_saying(child, names) for child in ast.iter_child_nodes(node))])


def _saying(node: ast.AST, names: _Names) -> str:
    """Returns what a node says by itself."""
    kind = type(node).__name__
    match node:
        case ast.Constant(value=value):
            return f"{kind} {type(value).__name__} {_literal(value)}"
        case ast.Name(id=name):
            return names.of(name, kind)
        case ast.Attribute(attr=name) | ast.keyword(arg=str(name)) | ast.MatchClass(kwd_attrs=[name]):
            return names.of(name, kind)
        case ast.alias(name=name) | ast.ImportFrom(module=str(name)):
            return f"{kind} {name}"
        case _:
            return kind


def _literal(value: object) -> str:
    try:
        return repr(value)
    except ValueError:  # whole numbers beyond a length have no decimal digits
        assert isinstance(value, int)
        return hex(value)


def _names(tree: ast.AST) -> _Names:
    names = _Names()
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                names.own.add(name)
            case ast.arg(arg=name):
                names.own.add(name)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                names.own.add(name)
            case ast.ExceptHandler(name=str(name)):
                names.own.add(name)
            case ast.Import(names=aliases):
                names.modules |= {alias.asname: alias.name for alias in aliases if alias.asname}
            case ast.ImportFrom(module=module, names=aliases):
                names.modules |= {alias.asname or alias.name: f"{module}.{alias.name}" for alias in aliases}
            case _:
                pass
    return names
