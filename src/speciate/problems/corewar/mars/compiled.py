"""The readable kernel, compiled by numba. Import it only where a battle is near: it imports numba.

The source of `kernel.py` and `rounds.py` is compiled as it stands but for two changes, which together make it
1.6 times as fast:

- every index is marked as unsigned; numba would otherwise look at each whether it counts from the end;
- what a kernel is not asked for is left out of it (`Variant`).
"""

from __future__ import annotations
import __future__

import ast
import hashlib
import logging
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Final, Literal, cast

import numba
import numpy as np
from typing_extensions import override

from speciate.problems.corewar import instructions
from speciate.problems.corewar.mars import kernel, machine, rounds
from speciate.problems.corewar.mars.machine import COVERED, VERDICT, Fights, Law, Machine, Tally
from speciate.problems.corewar.mars.rounds import Kernel

_LOGGER: Final = logging.getLogger(__name__)

Variant = Literal["bare", "covered", "whole"]
"""``bare``: no limits of reading and writing, and no counts beside the verdict. ``covered``: no limits, and
writes are not counted. ``whole``: everything."""

_LEFT_OUT: Final[dict[Variant, dict[str, int]]] = {
    "bare": {"limited": 0, "counting": VERDICT},
    "covered": {"limited": 0, "counting": COVERED},
    "whole": {},
}
"""Fields of `Law` that are constants of a variant."""

_INLINED: Final = frozenset(("reach", "stepped", "operand", "store", "pair", "execute", "queue", "turn"))
"""On the path of every instruction: a call would pass a dozen arrays."""

_CALLED: Final = frozenset(("run", "advance"))
"""What Python calls. Only this is kept in numba's cache; the rest is in it already."""

_OPTIONS: Final = {"nogil": True, "error_model": "numpy", "_nrt": False}
"""No array is made inside: without the runtime that would count references to a dozen of them at every
instruction, the kernel is 19 times as fast. All divisors are checked, so numpy's error model is safe."""


class _Shaper(ast.NodeTransformer):
    """Marks indices as unsigned and puts constants in place of fields of the law."""

    def __init__(self, constants: dict[str, int]) -> None:
        self._constants = constants

    @override
    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        node.slice = ast.Call(ast.Name("unsigned", ast.Load()), [node.slice], [])
        return node

    @override
    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.value, ast.Name) and node.value.id == "law" and node.attr in self._constants:
            return ast.Constant(self._constants[node.attr])
        return node


def _functions(module: ModuleType, constants: dict[str, int], names: dict[str, object]) -> list[FunctionType]:
    """Returns the functions of a module, shaped; they find each other in `names`."""
    path = str(module.__file__)
    tree = ast.parse(Path(path).read_text("utf-8"))
    tree.body = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    shaped = ast.fix_missing_locations(_Shaper(constants).visit(tree))
    exec(compile(shaped, path, "exec", __future__.annotations.compiler_flag), names)  # noqa: S102 (our own)
    return [cast(FunctionType, names[node.name]) for node in tree.body if isinstance(node, ast.FunctionDef)]


def _digest() -> str:
    """Returns what compiled code depends on. numba's cache looks at one file a function and at no option."""
    paths = [str(module.__file__) for module in (instructions, machine, kernel, rounds)]
    return hashlib.sha256(b"".join(Path(path).read_bytes() for path in (*paths, __file__))).hexdigest()[:12]


def _jit(function: Callable[..., object]) -> object:
    """Returns the function, to be compiled; kept if it is `_CALLED` and numba finds a folder to write to."""
    options = {**_OPTIONS, "forceinline": function.__name__ in _INLINED}
    if function.__name__ not in _CALLED:
        return numba.njit(function, **options)  # type: ignore[call-overload]  # stubs lack _nrt
    try:
        return numba.njit(function, cache=True, **options)  # type: ignore[call-overload]  # stubs lack _nrt
    except RuntimeError as error:
        _say_once(f"{error}; set NUMBA_CACHE_DIR, or every process compiles the simulator anew")
        return numba.njit(function, **options)  # type: ignore[call-overload]  # stubs lack _nrt


@cache
def _say_once(message: str) -> None:
    _LOGGER.warning(message)


@cache
def compiled(variant: Variant) -> Kernel:
    """Returns a kernel, to be compiled or loaded from numba's cache at its first call."""
    digest = _digest()
    names = {**vars(machine), **vars(kernel), **vars(rounds), "unsigned": np.uint64}
    for module in (kernel, rounds):
        for function in _functions(module, _LEFT_OUT[variant], names):
            name = function.__name__
            function.__qualname__ = f"{name}_{variant}_{digest}"
            function.__module__ = module.__name__
            names[name] = _jit(function)
    return Kernel(
        run=cast(Callable[[Machine, Law, Fights, Tally, int, int, int, int], int], names["run"]),
        advance=cast(Callable[[Machine, Law, int, int], int], names["advance"]),
        plain=False,
    )
