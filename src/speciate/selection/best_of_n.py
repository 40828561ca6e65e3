"""Always the initial program: the control that cannot learn."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from typing_extensions import override

from speciate.records import Ordinal
from speciate.selection.base import ParentPolicy, Ranked
from speciate.selection.occupants import Occupants


class BestOfN(ParentPolicy):
    """The initial program, always: n independent tries, of which the best is taken (Lange 2025).

    The initial program may have left the archive long ago. `draw` returns it nevertheless;
    `probabilities`, which can speak of occupants only, then raises.

    Args:
        initial: ordinal of the initial program.
    """

    def __init__(self, initial: Ordinal = 0) -> None:
        self._initial = initial

    @override
    def probabilities(self, occupants: Sequence[Ranked]) -> np.ndarray:
        """Returns 1 for the initial program and 0 for all others, shape ``(n,)``.

        Raises:
            LookupError: the initial program is not an occupant any more.
        """
        here = Occupants.of(occupants).ordinals == self._initial
        if not here.any():
            raise LookupError(f"candidate {self._initial} has left the archive; draw still returns it")
        return np.asarray(here, dtype=np.float64)

    @override
    def draw(self, occupants: Sequence[Ranked], rng: np.random.Generator) -> Ordinal:
        return self._initial
