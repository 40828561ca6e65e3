"""Two parents, one child."""

from __future__ import annotations

from typing import Final

from speciate.problems.corewar.genome.genome import Change, Genome, cells, laid_out
from speciate.problems.corewar.genome.scope import Scope


def cross(first: Genome, second: Genome, scope: Scope) -> Change:
    """Puts a segment of the second parent in the place of a segment of the first.

    Either segment may be empty or the whole, but a child has at least one instruction and at most as many as
    the rules allow: what is too much of the second parent's segment is left out. The child starts where the
    first parent did or, if that instruction is gone, at the next one of it that is left.
    """
    most = scope.max_length
    begin, end = _cut(scope, len(first))
    kept = len(first) - (end - begin)
    low, high = _cut(scope, len(second))
    if high - low + kept < 1:
        high = low + 1 if low < len(second) else low
        low = high - 1
    high = min(high, low + most - kept)
    plan = [*cells(first, 0)[:begin], *cells(second, 1)[low:high], *cells(first, 0)[end:]]
    mend = scope.dice.chance(scope.config.mend)
    child = laid_out(plan, [first, second], scope.core_size, mend=mend)
    return Change(child, f"{high - low} instructions of a second parent in the place of {end - begin}")


def _cut(scope: Scope, length: int) -> tuple[int, int]:
    """Draws two places between instructions, in order; they may be one."""
    first, second = sorted(int(at) for at in scope.dice.rng.integers(length + 1, size=2))
    return first, second


TRIES: Final = 20
"""How many crossings may give back one of the parents before it is given up."""


def crossed(first: Genome, second: Genome, scope: Scope) -> Change | None:
    """Returns a child that is neither parent, or None if none was found."""
    for _ in range(TRIES):
        change = cross(first, second, scope)
        if change.genome not in (first, second):
            return change
    return None
