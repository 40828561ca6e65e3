"""Steps of numeric constants, with a size that is inherited and adapts itself.

As in evolution strategies (Schwefel 1981; Beyer 2002, https://doi.org/10.1023/A:1015059928466) the step
size is a trait of the program: a child mutates the step first and its numbers with the new step, so that
steps which lead to good children survive with them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from speciate.mutation.genetic.edits import Change, Edit, pick, pick_weighted, sample
from speciate.mutation.genetic.sites import Number, Real, Sites, Table

FLIP = 0.02
"""How often a step turns the sign."""

LARGEST = 1e300
"""No step leads further from 0 than this."""

DIGITS = 3
"""A number is printed with this many digits beyond the size of its step."""


@dataclass(frozen=True, slots=True)
class Row:
    """Constants that are changed together: number indices and the natural size of a step of each."""

    numbers: tuple[int, ...]
    scales: tuple[float, ...]


def number_step(sites: Sites, rng: np.random.Generator, step: float) -> Change | None:
    """Changes one constant, one row of constants, several rows, or a whole table. None without constants."""
    if not sites.numbers:
        return None
    rows, tables = _rows(sites)
    ways: list[tuple[Callable[[], Mapping[int, Real]], float]] = [
        (lambda: _step(sites, rng, step, [pick(rng, rows)]), 6.0),
        (lambda: _step_one(sites, rng, step, pick(rng, rows)), 3.0),
        (lambda: _step(sites, rng, step, sample(rng, rows, 2 + int(rng.random() * 3))), 1.5),
    ]
    if tables:
        ways += [
            (lambda: _step(sites, rng, step, pick(rng, tables)), 1.0),
            (lambda: _redraw(sites, rng, pick(rng, tables)), 1.0),
            (lambda: _exchange(sites, rng, step, pick(rng, tables)), 0.5),
        ]
    way = pick_weighted(rng, [w for w, _ in ways], [weight for _, weight in ways])
    return written(sites, way(), f"step {step:.2g}")


def written(sites: Sites, values: Mapping[int, Real], how: str) -> Change | None:
    """Returns the change that gives constants new values, or None if no text would change."""
    edits = [
        Edit(*sites.numbers[k].span, text)
        for k, value in values.items()
        if (text := printed(sites.numbers[k], value)) != sites.text(sites.numbers[k].span)
    ]
    if not edits:
        return None
    return Change(tuple(edits), f"numbers: {len(edits)} changed, {how}")


def printed(number: Number, value: Real) -> bytes:
    """Returns a constant's text, in parentheses where a sign could bind wrongly."""
    text = repr(value)
    return f"({text})".encode() if number.tight and text.startswith("-") else text.encode()


def rounded(value: float, step: float) -> float:
    """Returns `value` with digits that a step of the given size can tell apart, and some more."""
    if not math.isfinite(value):
        return math.copysign(LARGEST, value) if not math.isnan(value) else 0.0
    digits = DIGITS - math.floor(math.log10(step)) - 1 if step > 0 else 17
    return round(value, max(digits, 0)) if digits < 300 else value


@lru_cache(maxsize=128)
def _rows(sites: Sites) -> tuple[list[Row], list[list[Row]]]:
    """Returns all rows (constants outside tables are rows of one), and the rows of each larger table."""
    tables = [_measured(sites, table) for table in sites.tables]
    tabled = {k for rows in tables for row in rows for k in row.numbers}
    loose = [Row((k,), (_alone(number.value),)) for k, number in enumerate(sites.numbers) if k not in tabled]
    return loose + [row for rows in tables for row in rows], [rows for rows in tables if len(rows) > 1]


def _measured(sites: Sites, table: Table) -> list[Row]:
    """Returns a table's rows; the natural step of a number is the spread of its column."""
    values = [[bounded(sites.numbers[k].value) for k in row] for row in table.rows]
    if not table.regular or len(values) < 3:
        return [
            Row(row, tuple(_alone(v) for v in line)) for row, line in zip(table.rows, values, strict=True)
        ]
    with np.errstate(over="ignore", invalid="ignore"):
        spread = np.std(np.array(values), axis=0).tolist()
    scales = tuple(s if 0 < s < math.inf else _alone(v) for s, v in zip(spread, values[0], strict=True))
    return [Row(row, scales) for row in table.rows]


def _alone(value: Real) -> float:
    """Returns the natural step of a number of which nothing else is known: its own size, 1 for 0."""
    return abs(bounded(value)) or 1.0


def bounded(value: Real) -> float:
    """Returns a number as a double, at most `LARGEST` from 0: an integer may be beyond all doubles."""
    return float(max(min(value, LARGEST), -LARGEST))


def _step(sites: Sites, rng: np.random.Generator, step: float, rows: Sequence[Row]) -> dict[int, Real]:
    """Moves all numbers of some rows. The more there are the less each moves, so the whole moves as far."""
    count = sum(len(row.numbers) for row in rows)
    size = step / math.sqrt(count)
    return {
        k: moved(sites.numbers[k].value, rng, size, scale)
        for row in rows
        for k, scale in zip(row.numbers, row.scales, strict=True)
    }


def _step_one(sites: Sites, rng: np.random.Generator, step: float, row: Row) -> dict[int, Real]:
    """Moves one number of a row."""
    at = int(rng.random() * len(row.numbers))
    k = row.numbers[at]
    return {k: moved(sites.numbers[k].value, rng, step, row.scales[at])}


def _redraw(sites: Sites, rng: np.random.Generator, rows: Sequence[Row]) -> dict[int, Real]:
    """Draws one row anew: each number between two others of its column."""
    row = pick(rng, rows)
    fitting = [other for other in rows if len(other.numbers) == len(row.numbers)]
    values: dict[int, Real] = {}
    for at, (k, scale) in enumerate(zip(row.numbers, row.scales, strict=True)):
        a, b = (bounded(sites.numbers[pick(rng, fitting).numbers[at]].value) for _ in range(2))
        drawn = a + (b - a) * rng.random()
        values[k] = round(drawn) if isinstance(sites.numbers[k].value, int) else rounded(drawn, scale * 0.01)
    return values


def _exchange(sites: Sites, rng: np.random.Generator, step: float, rows: Sequence[Row]) -> dict[int, Real]:
    """Exchanges the numbers of two rows, or puts one beside another."""
    a, b = sample(rng, rows, 2)
    pairs = list(zip(a.numbers, b.numbers, a.scales, strict=False))
    numbers = sites.numbers
    if rng.random() < 0.5:
        return {i: numbers[j].value for i, j, _ in pairs} | {j: numbers[i].value for i, j, _ in pairs}
    return {i: moved(numbers[j].value, rng, step, scale) for i, j, scale in pairs}


def moved(value: Real, rng: np.random.Generator, step: float, scale: float) -> Real:
    """Returns a number a step away: one additive step in `scale`, or a factor.

    Args:
        value: the number; an integer stays one and moves by at least 1.
        rng: chance.
        step: size of the step relative to `scale`.
        scale: natural size of an additive step.
    """
    if rng.random() < FLIP and value:
        return -value
    drawn = rng.standard_normal()
    if isinstance(value, int):
        return value + _whole(drawn, rng, step * min(scale, 1e15))
    if value and rng.random() < 0.2:
        return rounded(value * math.exp(step * drawn), abs(value) * step)
    return rounded(value + step * scale * drawn, step * scale)


def _whole(drawn: float, rng: np.random.Generator, size: float) -> int:
    """Returns a whole step that is not 0, of about the given size."""
    least = 1 if rng.random() < 0.7 else 2
    return int(math.copysign(max(least, abs(round(drawn * size))), drawn))
