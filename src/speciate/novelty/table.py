"""Rows of numbers by ordinal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from speciate.records import Ordinal

_FREE = -1
_SPARE = 512

R = TypeVar("R", np.float32, np.float64)


class VectorTable(Generic[R]):
    """Vectors by ordinal. A cache: what is not in it is loaded, what was not asked for lately is dropped.

    Attributes:
        rows: the vectors, shape ``(room, dims)``; the first `used` are meant.
        lengths: Euclidean length of each row, shape ``(room,)``.
        owners: ordinal of each row, shape ``(room,)``.
        there: whether the owner has a vector at all, shape ``(room,)``.
        used: how many rows hold something.

    Args:
        load: gives the vector of a candidate, shape ``(dims,)``, or None for one that has none; asked once
            as long as its row is kept.
        dtype: of the rows.
    """

    def __init__(self, load: Callable[[Ordinal], npt.NDArray[Any] | None], dtype: type[R]) -> None:
        self._load = load
        self._dtype: type[R] = dtype
        self.rows: npt.NDArray[R] = np.zeros((0, 0), dtype=dtype)
        self.lengths: npt.NDArray[R] = np.zeros(0, dtype=dtype)
        self.owners: npt.NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        self.there: npt.NDArray[np.bool_] = np.zeros(0, dtype=np.bool_)
        self.used = 0
        self._slots: npt.NDArray[np.int32] = np.full(256, _FREE, dtype=np.int32)

    def slots(self, among: npt.NDArray[np.int64], dims: int) -> npt.NDArray[np.int32]:
        """Returns the numbers of the rows of the given ordinals, of those that have a vector.

        Args:
            among: ordinals, each once.
            dims: length of every vector.
        """
        if len(among) and int(among.max()) >= len(self._slots):
            grown = np.full(max(2 * len(self._slots), int(among.max()) + 1), _FREE, dtype=np.int32)
            grown[: len(self._slots)] = self._slots
            self._slots = grown
        missing = among[self._slots[among] == _FREE]
        if self.used + len(missing) > len(self.rows):
            self._make_room(among, dims)
        for ordinal in missing.tolist():
            self._put(ordinal)
        slots = self._slots[among]
        return slots[self.there[slots]]

    def _make_room(self, among: npt.NDArray[np.int64], dims: int) -> None:
        """Keeps the rows of the given ordinals alone, in a table with room for as many again."""
        held = self._slots[among]
        held = held[held != _FREE]
        room, kept = 2 * len(among) + _SPARE, len(held)
        rows, lengths = np.zeros((room, dims), dtype=self._dtype), np.zeros(room, dtype=self._dtype)
        owners, there = np.full(room, _FREE, dtype=np.int64), np.zeros(room, dtype=np.bool_)
        if kept:
            rows[:kept], lengths[:kept] = self.rows[held], self.lengths[held]
            owners[:kept], there[:kept] = self.owners[held], self.there[held]
        self.rows, self.lengths, self.owners, self.there, self.used = rows, lengths, owners, there, kept
        self._slots.fill(_FREE)
        self._slots[owners[:kept]] = np.arange(kept, dtype=np.int32)

    def _put(self, ordinal: Ordinal) -> None:
        vector = self._load(ordinal)
        slot, self.used = self.used, self.used + 1
        self.owners[slot] = ordinal
        self.there[slot] = vector is not None
        if vector is not None:
            self.rows[slot] = vector
            self.lengths[slot] = np.sqrt(np.vecdot(self.rows[slot], self.rows[slot]))
        self._slots[ordinal] = slot

    def __len__(self) -> int:
        return self.used
