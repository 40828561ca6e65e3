"""The readable kernel, compiled by numba. Import it only where a battle is near: it imports numba."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Final, cast

import numba

from speciate.problems.corewar.mars import kernel, machine, rounds
from speciate.problems.corewar.mars.machine import Fights, Law, Machine, Tally
from speciate.problems.corewar.mars.rounds import Kernel

_SOURCES: Final = (machine, kernel, rounds)
_INLINED: Final = frozenset(("reach", "stepped", "operand", "store", "pair", "execute", "queue", "turn"))
"""On the path of every instruction: a call would pass a dozen arrays."""

_OPTIONS: Final = {"nogil": True, "cache": True, "error_model": "numpy", "_nrt": False}
"""No array is made inside: without the runtime that would count references to a dozen of them at every
instruction, the kernel is 19 times as fast. All divisors are checked, so numpy's error model is safe."""


def _digest() -> str:
    """Returns what compiled code depends on. numba's cache looks at one file a function and at no option."""
    texts = [Path(str(module.__file__)).read_bytes() for module in _SOURCES]
    texts.append(Path(__file__).read_bytes())
    return hashlib.sha256(b"".join(texts)).hexdigest()[:12]


def _functions(module: ModuleType) -> list[FunctionType]:
    """Returns the functions that the module itself defines, in their order."""
    found = (value for value in vars(module).values() if isinstance(value, FunctionType))
    return [function for function in found if function.__module__ == module.__name__]


def _compile() -> dict[str, object]:
    """Returns all functions of the kernel by name, to be compiled at their first call.

    They are copies that call each other; the originals stay plain Python.
    """
    names: dict[str, object] = {}
    for module in _SOURCES:
        names.update(vars(module))
    digest = _digest()
    for module in (kernel, rounds):
        for function in _functions(module):
            copy = FunctionType(function.__code__, names, function.__name__)
            copy.__qualname__ = f"{function.__name__}_{digest}"
            copy.__module__ = function.__module__
            inlined = function.__name__ in _INLINED
            names[function.__name__] = numba.njit(copy, forceinline=inlined, **_OPTIONS)  # type: ignore[call-overload]  # the stubs lack _nrt
    return names


def _kernel() -> Kernel:
    names = _compile()
    return Kernel(
        run=cast(Callable[[Machine, Law, Fights, Tally, int, int], int], names["run"]),
        advance=cast(Callable[[Machine, Law, int, int], int], names["advance"]),
        plain=False,
    )


KERNEL: Final = _kernel()
