"""Edits of a text by position, so that everything else keeps its formatting and comments."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

import numpy as np

Span: TypeAlias = tuple[int, int]
"""Where a piece of text starts and ends, as byte offsets into the file's UTF-8."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Edit:
    """Replaces the bytes from `start` to `end` by `text`."""

    start: int
    end: int
    text: bytes


@dataclass(frozen=True, slots=True)
class Change:
    """What an operator wants: edits that do not overlap, and one line that says what they are."""

    edits: tuple[Edit, ...]
    summary: str


def splice(data: bytes, edits: Iterable[Edit]) -> bytes:
    """Returns `data` with all edits applied; raises ValueError if two overlap."""
    pieces: list[bytes] = []
    position = 0
    for edit in sorted(edits, key=lambda e: (e.start, e.end)):
        if edit.start < position:
            raise ValueError(f"edits overlap at byte {edit.start}")
        pieces += (data[position : edit.start], edit.text)
        position = edit.end
    return b"".join([*pieces, data[position:]])


def inside(span: Span, spans: Iterable[Span]) -> bool:
    """Returns whether `span` lies within one of `spans`."""
    first, last = span
    for start, end in spans:  # noqa: SIM110  asked of every node of every tree, and a generator costs twice
        if start <= first and last <= end:
            return True
    return False


def pick(rng: np.random.Generator, items: Sequence[T]) -> T:
    """Draws one item; all are equally likely. Needs at least one."""
    return items[int(rng.random() * len(items))]


def pick_weighted(rng: np.random.Generator, items: Sequence[T], weights: Sequence[float]) -> T:
    """Draws one item in proportion to its weight. Needs a positive sum."""
    target = rng.random() * sum(weights)
    for item, weight in zip(items, weights, strict=True):
        target -= weight
        if target < 0:
            return item
    return items[-1]


def sample(rng: np.random.Generator, items: Sequence[T], count: int) -> list[T]:
    """Draws `count` different items (all of them if there are fewer), in random order."""
    order = rng.permutation(len(items))[:count]
    return [items[int(k)] for k in order]
