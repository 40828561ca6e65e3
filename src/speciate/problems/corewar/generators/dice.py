"""What the families draw: steps, distances, bombs, spare operands."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeVar

import numpy as np

from speciate.problems.corewar.generators.priors import Priors
from speciate.problems.corewar.settings import Settings

T = TypeVar("T")

_TRIES: Final = 32
"""Steps among which the one with the most even holes is taken."""


def largest_quotient(part: int, whole: int) -> int:
    """Returns the largest partial quotient of the continued fraction of part/whole.

    The smaller it is, the more alike are the holes between the hits of such a step, however many hits there
    are (three-distance theorem: Sós 1958). The golden section has only ones.
    """
    largest = 0
    while part:
        whole, (quotient, part) = part, divmod(whole, part)
        largest = max(largest, quotient)
    return largest


@dataclass(frozen=True)
class Dice:
    """Chance, the rules and the priors together.

    Attributes:
        rng: where all chance comes from.
        settings: the rules to write for.
        priors: the weights.
    """

    rng: np.random.Generator
    settings: Settings
    priors: Priors

    def chance(self, share: float) -> bool:
        """Returns whether something happens that happens in this share of cases."""
        return bool(self.rng.random() < share)

    def between(self, least: int, most: int) -> int:
        """Returns a whole number of [least, most], or `least` if there is none."""
        return int(self.rng.integers(least, max(least, most) + 1))

    def one(self, items: Sequence[T]) -> T:
        """Returns one of them, all equally likely."""
        return items[self.between(0, len(items) - 1)]

    def weighted(self, weights: Mapping[T, float]) -> T:
        """Returns a key, as likely as its weight says. Not all weights are zero."""
        keys, shares = list(weights), np.array(list(weights.values()), dtype=np.float64)
        return keys[int(self.rng.choice(len(keys), p=shares / shares.sum()))]

    def period(self, least: int) -> int:
        """Returns a divisor of the core size in [least, 4 least), or 1 if there is none.

        Code of fewer cells than the period lies between the cells that steps of it reach.
        """
        size = self.settings.core_size
        fitting = [number for number in range(least, 4 * least) if size % number == 0]
        return self.one(fitting) if fitting else 1

    def step(self, period: int) -> int:
        """Returns a step that reaches every multiple of the period in the core before it repeats one."""
        laps = self.settings.core_size // period
        priors = self.priors.steps
        kind: Literal["even", "anywhere", "small"] = self.weighted(
            {"even": priors.even, "anywhere": priors.anywhere, "small": priors.small}
        )
        starts = [
            self.between(1, 8 if kind == "small" else laps) for _ in range(_TRIES if kind == "even" else 1)
        ]
        factors = (
            next(k for k in range(start, start + laps + 1) if math.gcd(k, laps) == 1) for start in starts
        )
        return period * (min(factors, key=lambda factor: largest_quotient(factor, laps)) % laps or 1)

    def away(self, room: int) -> int:
        """Returns a distance of at least `room` cells in both directions, where the core is large enough."""
        return self.between(room, self.settings.core_size - room)

    def bomb(self, pointer: str = "#0") -> str:
        """Returns a bomb whose B field is what is given."""
        if self.chance(self.priors.stunning):
            return self.one((f"spl.b #0, {pointer}", f"spl.b $0, {pointer}"))
        return self.one(
            (
                f"dat.f #0, {pointer}",
                f"dat.f <{-self.between(1, 9)}, {pointer}",
                f"dat.f >{self.between(1, 9)}, {pointer}",
                f"jmp.b $0, {pointer}",
            )
        )

    def spare(self, below: int) -> str:
        """Returns a B operand for an instruction that has no use for one.

        Args:
            below: how many cells of the warrior lie below the instruction; a gate is put lower still.
        """
        if self.chance(self.priors.gates):
            return f"<{-below - self.between(3, 12)}"
        return "$0"
