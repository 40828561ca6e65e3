"""What can be said of a Python source without running it: whether it compiles, what it imports."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Collection, Iterator
from functools import lru_cache
from types import CodeType

_WIDTH = 160
"""How much of a faulty line is shown, in characters."""

# What `compile` may raise for text that no interpreter would run: deep nesting, null bytes, lone
# surrogates, integers or line tables that are too large.
_REFUSED = (SyntaxError, ValueError, OverflowError, MemoryError, RecursionError)


def compiled(text: str) -> CodeType:
    """Returns what a Python source compiles to; nothing is run.

    The last few answers are kept: compiling is the dearest thing that is done to a candidate in the
    engine's process, and several checks need it. A byte order mark is passed over.

    Raises:
        SyntaxError, ValueError, OverflowError, MemoryError, RecursionError: no interpreter would run it.
    """
    found = _compiled(text)
    if isinstance(found, CodeType):
        return found
    raise found


@lru_cache(maxsize=8)
def _compiled(text: str) -> CodeType | Exception:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # doubtful escapes are the candidate's affair
            return compile(text.removeprefix("\ufeff"), "<program>", "exec", dont_inherit=True)
    except _REFUSED as error:
        return error.with_traceback(None)  # what is kept must not keep frames alive


def python_syntax(text: str) -> str | None:
    """Returns what is wrong with a Python source, or None when it compiles. Nothing is run.

    The message holds line, column, the line itself and a caret, for a model to act on. Any text is
    judged, however large, deep or strange.
    """
    try:
        compiled(text)
    except SyntaxError as error:
        return _describe(error, text)
    except RecursionError:
        return "the program is nested too deeply for Python's compiler; use fewer levels"
    except MemoryError:
        return "the program is too deep or too large for Python's parser; use fewer levels"
    except (ValueError, OverflowError) as error:
        return f"Python cannot read the program: {error}"
    return None


def _describe(error: SyntaxError, text: str) -> str:
    """Returns a syntax error as text: place, reason, the line with a caret below the column."""
    if error.lineno is None:
        return f"Python cannot read the program: {error.msg}"
    # Errors of the compiler proper, like a return outside a function, come without the line.
    line = (error.text or _line(text, error.lineno)).split("\n")[0].rstrip()
    column = min(max(error.offset or 1, 1), len(line) + 1)
    first = max(0, column - _WIDTH // 2)
    shown = line[first : first + _WIDTH].replace("\t", " ")
    caret = " " * (column - 1 - first) + "^"
    return f"line {error.lineno}, column {column}: {error.msg}\n    {shown}\n    {caret}"


def _line(text: str, number: int) -> str:
    """Returns a line by its number from 1, as Python counts them."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return lines[number - 1] if 0 < number <= len(lines) else ""


def imports(text: str) -> frozenset[str]:
    """Returns the top-level modules a Python source imports anywhere, ``"."`` for relative imports.

    Seen are ``import``, ``from … import``, and ``__import__`` and ``import_module`` called with a
    literal. This is a courtesy that saves an evaluation; a program bent on importing more can hide it,
    and the sandbox is what holds it. A source that does not parse imports nothing.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text.removeprefix("\ufeff"))
    except _REFUSED:
        return frozenset()
    return frozenset(name for node in ast.walk(tree) for name in _imported(node))


def _imported(node: ast.AST) -> Iterator[str]:
    """Yields the top-level modules that one node imports."""
    match node:
        case ast.Import(names=names):
            yield from (alias.name.split(".")[0] for alias in names)
        case ast.ImportFrom(module=module, level=level):
            yield "." if level or not module else module.split(".")[0]
        case ast.Call(
            func=ast.Name(id="__import__" | "import_module")
            | ast.Attribute(attr="__import__" | "import_module"),
            args=[ast.Constant(value=str(name)), *_],
        ):
            yield name.split(".")[0] or "."


def forbidden_imports(text: str, allowed: Collection[str], *, local: Collection[str] = ()) -> tuple[str, ...]:
    """Returns the modules a Python source imports without leave, sorted; empty when all is well.

    Args:
        text: the source.
        allowed: top-level modules it may import.
        local: modules that lie beside it (other files of the same program).
    """
    return tuple(sorted(imports(text) - frozenset(allowed) - frozenset(local) - {"__future__"}))
