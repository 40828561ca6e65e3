"""A bounded memory of what was used last."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Recent(Generic[K, V]):
    """Keeps the values used last, up to a total weight.

    Args:
        limit: most weight held; a single heavier value is not kept at all.
        weigh: weight of a value; by default each counts as one.
    """

    def __init__(self, limit: int, weigh: Callable[[V], int] = lambda _: 1) -> None:
        self._limit = limit
        self._weigh = weigh
        self._values: OrderedDict[K, V] = OrderedDict()
        self._weight = 0

    def get(self, key: K) -> V | None:
        """Returns the value and counts as a use of it, or None if it is not held."""
        if key not in self._values:
            return None
        self._values.move_to_end(key)
        return self._values[key]

    def put(self, key: K, value: V) -> None:
        """Holds a value; those used longest ago make room."""
        if key in self._values:
            self._weight -= self._weigh(self._values.pop(key))
        self._values[key] = value
        self._weight += self._weigh(value)
        while self._weight > self._limit:
            self._weight -= self._weigh(self._values.popitem(last=False)[1])

    def __len__(self) -> int:
        return len(self._values)
