"""Crossing two programs: blended constants, exchanged expressions and definitions."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from speciate.mutation.genetic.edits import Change, Edit, pick
from speciate.mutation.genetic.expressions import graft
from speciate.mutation.genetic.numbers import bounded, rounded, written
from speciate.mutation.genetic.sites import Real, Sites
from speciate.mutation.genetic.statements import indented, lines

REACH = 0.25
"""How far beyond two parents' values a blend may go, as a share of their distance (Eshelman 1993)."""

Pair = tuple[int, int]


def blend(sites: Sites, donor: Sites, rng: np.random.Generator) -> Change | None:
    """Mixes the constants of statements that are equal but for their constants, row by row.

    Each row (a constant outside a table is one) is kept, taken from the donor, or lies between the two.
    """
    rows = list(_differing_rows(sites, donor))
    if not rows:
        return None
    share = rng.random() ** 2  # often a few rows, at times all
    chosen = [row for row in rows if rng.random() < share] or [pick(rng, rows)]
    mixing = rng.random() < 0.5
    values: dict[int, Real] = {}
    for row in chosen:
        weight = rng.random() * (1 + 2 * REACH) - REACH if mixing else 1.0
        values |= {k: _between(sites.numbers[k].value, donor.numbers[j].value, weight) for k, j in row}
    return written(sites, values, f"{'blended' if mixing else 'taken'} from a second parent")


def exchange(sites: Sites, donor: Sites, rng: np.random.Generator) -> Change | None:
    """Takes over an expression of the same kind."""
    return graft(sites, donor, rng)


def transplant(sites: Sites, donor: Sites, rng: np.random.Generator) -> Change | None:
    """Takes over a function, class or variable that both programs define, as the donor defines it."""
    theirs = {s.path: s for s in donor.statements if s.path}
    shared = [
        (mine, theirs[mine.path])
        for mine in sites.statements
        if mine.path in theirs and sites.text(mine.span) != donor.text(theirs[mine.path].span)
    ]
    if not shared:
        return None
    mine, other = pick(rng, shared)
    if mine.indent != other.indent and not other.movable:
        return None
    text = indented(lines(donor, other), other.indent, mine.indent)
    return Change((Edit(*mine.span, text),), f"transplanted: {mine.path}")


def _differing_rows(sites: Sites, donor: Sites) -> Iterator[list[Pair]]:
    """Yields aligned rows of numbers that differ, as pairs of number indices."""
    row_of = {
        k: (t, r) for t, table in enumerate(sites.tables) for r, row in enumerate(table.rows) for k in row
    }
    rows: dict[tuple[int, int], list[Pair]] = {}
    for k, j in aligned(sites, donor):
        if sites.numbers[k].value != donor.numbers[j].value:
            rows.setdefault(row_of.get(k, (-1, k)), []).append((k, j))
    yield from rows.values()


def aligned(sites: Sites, donor: Sites) -> Iterator[Pair]:
    """Yields pairs of constants at the same place of statements that are equal but for constants."""
    theirs: dict[bytes, list[range]] = {}
    for skeleton, numbers in _skeletons(donor):
        theirs.setdefault(skeleton, []).append(numbers)
    for skeleton, numbers in _skeletons(sites):
        if theirs.get(skeleton):
            yield from zip(numbers, theirs[skeleton].pop(0), strict=True)


def _skeletons(sites: Sites) -> Iterator[tuple[bytes, range]]:
    """Yields each simple statement with constants as its text without them, and the range of its numbers."""
    at = 0
    for statement in sorted((s for s in sites.statements if s.simple), key=lambda s: s.span):
        start, end = statement.span
        while at < len(sites.numbers) and sites.numbers[at].span[0] < start:
            at += 1
        first, pieces, position = at, [], start
        while at < len(sites.numbers) and sites.numbers[at].span[1] <= end:
            span = sites.numbers[at].span
            pieces.append(sites.data[position : span[0]])
            position, at = span[1], at + 1
        if at > first:
            yield b"\0".join([*pieces, sites.data[position:end]]), range(first, at)


def _between(mine: Real, other: Real, weight: float) -> Real:
    """Returns the number at `weight` on the way from one to the other; integers stay integers."""
    if weight == 1.0:
        return other
    a, b = bounded(mine), bounded(other)
    value = a + weight * (b - a)
    if isinstance(mine, int) and isinstance(other, int):
        return round(value)
    return rounded(value, abs(b - a) * 0.01)
