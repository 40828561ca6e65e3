"""Names for the plain values that carry meaning."""

from __future__ import annotations

from typing import TypeAlias

from pydantic import JsonValue

Ordinal: TypeAlias = int
"""Number of a candidate within a run, issued by `choose`; `INITIAL` is the initial program."""

INITIAL: Ordinal = 0
"""Ordinal of the initial program."""

Score: TypeAlias = float
"""One objective's value, higher is better (minimised objectives were negated on the way in)."""

Fitness: TypeAlias = tuple[Score, ...]
"""All objectives of one outcome, in the task's order, each higher is better."""

Descriptor: TypeAlias = tuple[float, ...]
"""Where an outcome lies in behaviour space, one coordinate a descriptor of the task."""

Cell: TypeAlias = tuple[int, ...]
"""Index of a cell: one integer an axis for a grid, a single integer for CVT."""

Seconds: TypeAlias = float
Dollars: TypeAlias = float

Scalar: TypeAlias = bool | int | float | str
"""A value that a metric may have."""

Json: TypeAlias = JsonValue
"""Anything JSON can say."""

TextHash: TypeAlias = str
"""Content hash of a text in the store: 40 hexadecimal digits."""
