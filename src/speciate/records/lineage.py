"""A candidate as others see it: its program, where it came from and how it did."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from speciate.records.outcome import Outcome
from speciate.records.program import Program
from speciate.records.types import Ordinal


@dataclass(frozen=True, slots=True)
class Entry:
    """A recorded candidate with its program and outcome, as parents and inspirations are handed on.

    Attributes:
        ordinal: its number.
        program: its source.
        outcome: how it did in the epoch of the reader, or in an earlier one.
        traits: numbers that are inherited and mutate themselves (step sizes of genetic operators).
        earlier: whether the outcome is of an earlier epoch with another company, in which the program was
            scored: where archives keep old scores.
    """

    ordinal: Ordinal
    program: Program
    outcome: Outcome
    traits: Mapping[str, float] = field(default_factory=dict)
    earlier: bool = False
