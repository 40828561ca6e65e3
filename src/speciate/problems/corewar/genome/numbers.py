"""Numbers of instructions: steps through the core, addresses of own code, little changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from speciate.problems.corewar.genome.config import NumberName
from speciate.problems.corewar.genome.genome import Genome
from speciate.problems.corewar.genome.scope import Scope

STRIDE_MULTIPLES: Final[Mapping[int, float]] = {1: 4, 2: 2, 4: 4, 5: 2, 8: 2, 10: 1, 16: 0.5, 20: 0.5}
"""How often a step is drawn that visits every k-th cell, by k, for each k that divides the core size."""

BESIDE: Final = 3
"""How far beside its own code a pointer may point."""

NumberChange: TypeAlias = Callable[[Genome, int, int, Scope], int]
"""Returns the new number, from the genome, the instruction's place, the old number, and the scope."""


def stride(scope: Scope) -> int:
    """Draws a step that visits every k-th cell of the core, and no other, before it comes back.

    A step s from any cell visits core_size / gcd(s, core_size) cells. For s = k·u with k a divisor of the
    core size and u coprime to core_size / k, that is every k-th cell: k = 1 covers the whole core, k = 4
    leaves gaps of three in which a warrior's own code can stand.
    """
    size = scope.core_size
    multiples = {k: weight for k, weight in STRIDE_MULTIPLES.items() if size % k == 0}
    step = scope.dice.step(scope.dice.weighted(multiples))
    return -step % size if scope.dice.chance(0.5) else step % size


def pointer(at: int, length: int, scope: Scope) -> int:
    """Draws the address, from place `at`, of an instruction of the code or of one just beside it."""
    return (scope.dice.between(-BESIDE, length + BESIDE - 1) - at) % scope.core_size


def drawn_number(at: int, length: int, scope: Scope) -> int:
    """Draws a number for a new instruction at place `at` of code of the given length."""
    if scope.dice.chance(scope.dice.priors.code.near):
        return pointer(at, length, scope)
    return stride(scope) if scope.dice.chance(0.5) else _anywhere(scope)


def changed_number(genome: Genome, at: int, old: int, scope: Scope) -> int:
    """Changes a number of the instruction at place `at` in one of the ways of `NumberName`."""
    way = scope.dice.weighted(scope.config.number_weights)
    return NUMBER_CHANGES[way](genome, at, old, scope) % scope.core_size


def _stride(genome: Genome, at: int, old: int, scope: Scope) -> int:
    return stride(scope)


def _small(genome: Genome, at: int, old: int, scope: Scope) -> int:
    size = scope.geometric(scope.step, scope.core_size)
    return old + size if scope.dice.chance(0.5) else old - size


def _negate(genome: Genome, at: int, old: int, scope: Scope) -> int:
    return -old


def _pointer(genome: Genome, at: int, old: int, scope: Scope) -> int:
    return pointer(at, len(genome), scope)


def _copy(genome: Genome, at: int, old: int, scope: Scope) -> int:
    there = scope.dice.one(genome.code)
    number = there.a if scope.dice.chance(0.5) else there.b
    return -number if scope.dice.chance(0.25) else number


def _uniform(genome: Genome, at: int, old: int, scope: Scope) -> int:
    return _anywhere(scope)


def _anywhere(scope: Scope) -> int:
    return scope.dice.between(0, scope.core_size - 1)


NUMBER_CHANGES: Final[Mapping[NumberName, NumberChange]] = {
    "stride": _stride,
    "small": _small,
    "negate": _negate,
    "pointer": _pointer,
    "copy": _copy,
    "uniform": _uniform,
}
