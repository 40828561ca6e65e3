"""Novelty in what programs do: has an occupant of the archive done the same in every case?"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from speciate.novelty.config import BehaviourConfig
from speciate.novelty.table import VectorTable
from speciate.records import CaseResult, Ordinal, Result

_SHAPES = 8
"""How many shapes of outcomes are kept apart at once; those of one context have one."""


@dataclass(frozen=True, slots=True, eq=False)
class Behaviour:
    """What a program did, case by case.

    Attributes:
        shape: names of cases and values, and all values that are no numbers: what has to be equal before
            numbers can be compared.
        values: the numbers, validity of each case included, shape ``(n,)``.
    """

    shape: tuple[str, ...]
    values: npt.NDArray[np.float64]


def behaviour(result: Result) -> Behaviour | None:
    """Returns what a result says of its program's behaviour, or None if it tells nothing of cases."""
    if not result.cases:
        return None
    shape: list[str] = []
    values: list[float] = []
    for case in result.cases:
        _read(case, shape, values)
    return Behaviour(tuple(shape), np.array(values, dtype=np.float64))


def _read(case: CaseResult, shape: list[str], values: list[float]) -> None:
    values.append(float(case.valid))
    shape.append(case.case)
    for name in sorted(case.values):
        value = case.values[name]
        shape.append(f"{name}={value}" if isinstance(value, str) else name)
        if not isinstance(value, str):
            values.append(_number(value))


def _number(value: float) -> float:
    try:
        return float(value)
    except OverflowError:  # whole numbers have no bound
        return math.inf if value > 0 else -math.inf


def same_behaviour(first: Behaviour, second: Behaviour, tolerance: float) -> bool:
    """Says whether two behaviours are the same up to a tolerance, see `BehaviourConfig.tolerance`."""
    return first.shape == second.shape and bool(_same(second.values[None, :], first.values, tolerance)[0])


def _same(
    rows: npt.NDArray[np.float64], values: npt.NDArray[np.float64], tolerance: float
) -> npt.NDArray[np.bool_]:
    """Says of each row whether all its numbers are the given ones, shape ``(n,)``. NaN is like NaN."""
    with np.errstate(invalid="ignore", over="ignore"):
        bound = tolerance * np.maximum(np.maximum(np.abs(rows), np.abs(values)), 1.0)
        close = (np.abs(rows - values) <= bound) & np.isfinite(rows) & np.isfinite(values)
    equal = (rows == values) | (np.isnan(rows) & np.isnan(values))
    alike: npt.NDArray[np.bool_] = (close | equal).all(axis=1)
    return alike


class BehaviourIndex:
    """Finds occupants that behave like a newcomer.

    Args:
        config: what counts as the same.
        result: returns an occupant's result in the present context, or None if it has none.
    """

    def __init__(self, config: BehaviourConfig, result: Callable[[Ordinal], Result | None]) -> None:
        self.config = config
        self._result = result
        self._context = ""
        self._tables: OrderedDict[tuple[str, ...], VectorTable[np.float64]] = OrderedDict()

    def twin(self, result: Result, among: npt.NDArray[np.int64], context: str) -> Ordinal | None:
        """Returns the occupant that behaves like a newcomer; the smallest ordinal of several, or None.

        Args:
            result: the newcomer's.
            among: ordinals of the occupants, each once.
            context: hash of the context; what is known of other contexts is dropped.
        """
        own = None if self.config.tolerance is None else behaviour(result)
        if own is None or self.config.tolerance is None or not len(among):
            return None
        if context != self._context:
            self._context = context
            self._tables.clear()
        table = self._table(own.shape)
        slots = table.slots(among, len(own.values))
        alike = slots[_same(table.rows[slots], own.values, self.config.tolerance)] if len(slots) else slots
        return int(table.owners[alike].min()) if len(alike) else None

    def _table(self, shape: tuple[str, ...]) -> VectorTable[np.float64]:
        def load(ordinal: Ordinal) -> npt.NDArray[np.float64] | None:
            result = self._result(ordinal)
            known = None if result is None else behaviour(result)
            return known.values if known is not None and known.shape == shape else None

        if shape not in self._tables:
            self._tables[shape] = VectorTable(load, np.float64)
            if len(self._tables) > _SHAPES:
                self._tables.popitem(last=False)
        self._tables.move_to_end(shape)
        return self._tables[shape]
