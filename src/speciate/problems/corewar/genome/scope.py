"""What the operators share: chance, rules, priors and sizes."""

from __future__ import annotations

from dataclasses import dataclass

from speciate.problems.corewar.generators.dice import Dice
from speciate.problems.corewar.genome.config import GenomeConfig


@dataclass(frozen=True, slots=True)
class Scope:
    """All that an operator knows besides the genome.

    Attributes:
        dice: chance, the rules of the battle, and the priors of new instructions and steps.
        config: weights and sizes.
        step: mean size of a small step of a number, in cells.
    """

    dice: Dice
    config: GenomeConfig
    step: float

    @property
    def core_size(self) -> int:
        """Cells of the core."""
        return self.dice.settings.core_size

    @property
    def max_length(self) -> int:
        """Most instructions of a warrior."""
        return self.dice.settings.max_length

    def geometric(self, mean: float, most: int) -> int:
        """Draws a number from 1 to `most`, geometric with the given mean (at least 1) but for the bound."""
        return min(int(self.dice.rng.geometric(1 / mean)), most)

    def segment(self, length: int, most: int | None = None) -> tuple[int, int]:
        """Draws a segment of code of the given length, as first index and index after the last one.

        Args:
            length: length of the code, at least 1.
            most: most instructions of the segment, at least 1; None bounds it by the code alone.
        """
        size = self.geometric(self.config.segment, min(length, most or length))
        first = self.dice.between(0, length - size)
        return first, first + size
