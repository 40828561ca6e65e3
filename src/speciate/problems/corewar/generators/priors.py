"""What a generator believes before it has seen a single battle: weights, all adjustable."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Final, Literal, Self, get_args

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from speciate.errors import nearest
from speciate.problems.corewar.instructions import Mode, Modifier, Opcode

Strategy = Literal["imp", "gate", "bomber", "clear", "scanner", "vampire", "replicator", "hybrid", "random"]
"""A family of generated warriors."""

STRATEGIES: Final[tuple[Strategy, ...]] = get_args(Strategy)


PLAUSIBLE_OPCODES: Final[Mapping[str, float]] = {
    "MOV": 29, "DAT": 14, "SPL": 16, "JMP": 16, "ADD": 8, "DJN": 5, "JMN": 2, "JMZ": 2, "SEQ": 2, "SNE": 2,
    "SUB": 2, "MUL": 1, "MOD": 1, "SLT": 1, "NOP": 1, "DIV": 0.5, "CMP": 0.5,
}  # fmt: skip
"""Roughly the shares in the training warriors, with something for every opcode but those of P-space."""

PLAUSIBLE_MODIFIERS: Final[Mapping[str, float]] = {
    "I": 30, "B": 34, "F": 18, "AB": 11, "A": 4, "X": 2, "BA": 1,
}  # fmt: skip

PLAUSIBLE_MODES: Final[Mapping[str, float]] = {
    "DIRECT": 51, "IMMEDIATE": 23, "B_PREDECREMENT": 9, "B_INDIRECT": 6, "A_PREDECREMENT": 4,
    "B_POSTINCREMENT": 3, "A_POSTINCREMENT": 3, "A_INDIRECT": 1,
}  # fmt: skip


class _Prior(BaseModel):
    """Settings of a generator. Weights need not sum to one."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def _checked(weights: Mapping[str, float], known: Iterable[str]) -> Mapping[str, float]:
    """Returns the weights.

    Raises:
        ValueError: a name is unknown, a weight is negative or not finite, or none is above zero.
    """
    names = list(known)
    for name, weight in weights.items():
        if name not in names:
            raise ValueError(f"unknown name {name!r}{nearest(name, names)}")
        if not math.isfinite(weight) or weight < 0:
            raise ValueError(f"the weight of {name} is {weight}; expected a number from 0 up")
    if not sum(weights.values()) > 0:
        raise ValueError("no weight is above 0")
    return weights


class StepPrior(_Prior):
    """How steps are drawn: a period times a number coprime to the core size over that period.

    Attributes:
        even: weight of steps whose hits leave holes of even width, wherever they lie in the core
            (three-distance theorem: Sós 1958).
        anywhere: weight of steps drawn uniformly.
        small: weight of steps of at most eight periods, which sweep the core in order.
    """

    even: float = Field(default=0.4, ge=0)
    anywhere: float = Field(default=0.4, ge=0)
    small: float = Field(default=0.2, ge=0)

    @model_validator(mode="after")
    def _some(self) -> Self:
        if not self.even + self.anywhere + self.small > 0:
            raise ValueError("no weight of a kind of step is above 0")
        return self


class CodePrior(_Prior):
    """How single instructions of family ``random`` are drawn.

    Attributes:
        opcodes, modifiers, modes: weight of each by name; what is not named is never drawn.
        near: share of numbers that point into or next to the warrior itself; the others are drawn
            from the whole core.
        median: median of the length, in instructions.
        spread: standard deviation of the length's logarithm; 0 makes every length the median.
    """

    opcodes: Mapping[str, float] = PLAUSIBLE_OPCODES
    modifiers: Mapping[str, float] = PLAUSIBLE_MODIFIERS
    modes: Mapping[str, float] = PLAUSIBLE_MODES
    near: float = Field(default=0.8, ge=0, le=1)
    median: float = Field(default=9.0, ge=1)
    spread: float = Field(default=0.6, ge=0, le=5)

    @field_validator("opcodes")
    @classmethod
    def _opcodes(cls, weights: Mapping[str, float]) -> Mapping[str, float]:
        return _checked(weights, Opcode.__members__)

    @field_validator("modifiers")
    @classmethod
    def _modifiers(cls, weights: Mapping[str, float]) -> Mapping[str, float]:
        return _checked(weights, Modifier.__members__)

    @field_validator("modes")
    @classmethod
    def _modes(cls, weights: Mapping[str, float]) -> Mapping[str, float]:
        return _checked(weights, Mode.__members__)


class ExtraPrior(_Prior):
    """What may be put around a warrior where there is room for it.

    Attributes:
        boot: share of warriors that carry themselves away before they start.
        quickscan: share that first compare pairs of far cells and bomb what they find.
        looks: most pairs compared.
        decoys: share that end in cells that only draw fire.
        most_decoys: most of those cells.
    """

    boot: float = Field(default=0.1, ge=0, le=1)
    quickscan: float = Field(default=0.1, ge=0, le=1)
    looks: int = Field(default=10, ge=1, le=100)
    decoys: float = Field(default=0.1, ge=0, le=1)
    most_decoys: int = Field(default=12, ge=1, le=1000)


class Priors(_Prior):
    """What a generator believes.

    Attributes:
        families: weight of each family; what is not named is never drawn.
        steps: steps through the core.
        code: instructions of family ``random``.
        extras: what may be put around a warrior.
        points: weight of each number of imps in a ring; numbers that share a divisor with the core size are
            impossible and left out.
        doublings: weight of each number of SPLs that start a replicator; it then runs 4, 8, 16 or 32
            processes in step.
        stunning: share of bombs that are SPL rather than a cell that kills or holds.
        gates: share of spare operands that decrement a cell below the code.
    """

    families: Mapping[str, float] = Field(default_factory=lambda: dict.fromkeys(map(str, STRATEGIES), 1.0))
    steps: StepPrior = StepPrior()
    code: CodePrior = CodePrior()
    extras: ExtraPrior = ExtraPrior()
    points: Mapping[int, float] = Field(default_factory=lambda: {3: 3.0, 7: 2.0, 9: 1.0, 11: 1.0, 13: 1.0})
    doublings: Mapping[int, float] = Field(default_factory=lambda: {2: 1.0, 3: 3.0, 4: 1.0})
    stunning: float = Field(default=0.35, ge=0, le=1)
    gates: float = Field(default=0.5, ge=0, le=1)

    @field_validator("families")
    @classmethod
    def _families(cls, weights: Mapping[str, float]) -> Mapping[str, float]:
        return _checked(weights, STRATEGIES)

    @field_validator("points")
    @classmethod
    def _points(cls, weights: Mapping[int, float]) -> Mapping[int, float]:
        _checked({str(points): weight for points, weight in weights.items()}, map(str, range(2, 65)))
        return weights

    @field_validator("doublings")
    @classmethod
    def _doublings(cls, weights: Mapping[int, float]) -> Mapping[int, float]:
        _checked({str(times): weight for times, weight in weights.items()}, map(str, range(2, 6)))
        return weights
