"""A grid over behaviour space with arbitrary bin edges."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence

from typing_extensions import override

from speciate.archives.cells import CellArchive
from speciate.records import Axis, Cell, Descriptor, text_hash


class GridArchive(CellArchive):
    """A MAP-Elites grid; the cell of a member is the tuple of its bins, one an axis.

    Only filled cells take memory, so a fine grid over many axes costs nothing until it is filled.

    Args:
        axes: the axes in the order of the descriptor's coordinates, at least one.

    Raises:
        ValueError: there is no axis.
    """

    def __init__(self, axes: Sequence[Axis]) -> None:
        if not axes:
            raise ValueError("a grid needs at least one axis")
        super().__init__(len(axes))
        self._axes = tuple(axes)

    @property
    def axes(self) -> tuple[Axis, ...]:
        """The axes, in the order of the descriptor's coordinates."""
        return self._axes

    @property
    def cells(self) -> int:
        """How many cells there are to fill."""
        return math.prod(axis.bins for axis in self._axes)

    @property
    @override
    def layout(self) -> str:
        return text_hash(json.dumps(["grid", [axis.edges for axis in self._axes]]))

    @override
    def locate(self, descriptor: Descriptor) -> Cell:
        return tuple(axis.bin(value) for axis, value in zip(self._axes, descriptor, strict=True))

    @override
    def emptied(self) -> GridArchive:
        return GridArchive(self._axes)
