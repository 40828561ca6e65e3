"""Settings of the operators on Redcode: how often each is used, and how far it goes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Literal, Self, get_args

from pydantic import BaseModel, ConfigDict, Field, model_validator

OperatorName = Literal[
    "instruction",  # one instruction is replaced by a drawn one
    "opcode",
    "modifier",
    "mode",
    "number",  # see NumberName
    "swap",  # two instructions change places
    "insert",
    "delete",
    "duplicate",  # a segment is copied to another place
    "move",  # a segment goes to another place
    "start",  # another instruction runs first
]

NumberName = Literal[
    "stride",  # a step that visits every k-th cell of the core before it comes back
    "small",  # the number plus or minus a little
    "negate",
    "pointer",  # the address of an own instruction, or of one just beside them
    "copy",  # a number that stands elsewhere in the code, or its negative
    "uniform",  # any number
]

OPERATORS: Mapping[OperatorName, float] = {
    "instruction": 1.0,
    "opcode": 1.0,
    "modifier": 0.75,
    "mode": 1.5,
    "number": 4.0,
    "swap": 0.75,
    "insert": 1.5,
    "delete": 1.5,
    "duplicate": 1.5,
    "move": 1.0,
    "start": 0.15,
}

NUMBERS: Mapping[NumberName, float] = {
    "stride": 2.0,
    "small": 4.0,
    "negate": 1.0,
    "pointer": 1.5,
    "copy": 1.5,
    "uniform": 1.0,
}


class GenomeConfig(BaseModel):
    """Settings of the operators. Weights need not sum to 1; one that is not named keeps its default.

    Attributes:
        operators: weight of each operator.
        numbers: weight of each way to change a number.
        changes: mean number of operators that a child goes through, at least 1 (one, and further ones with a
            constant probability).
        mend: probability that numbers go on pointing at the instruction they pointed at when code moves.
        step: mean size of a small step of a number, in cells; that of the first parent.
        step_rate: how fast the step adapts: standard deviation of its logarithm from parent to child. 0 keeps
            it as it is.
        segment: mean length of a segment that is copied, moved or deleted.
        usual: probability that a new instruction has the modifier that assemblers give its opcode and modes;
            otherwise it is drawn.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    operators: Mapping[OperatorName, float] = Field(default_factory=lambda: dict(OPERATORS))
    numbers: Mapping[NumberName, float] = Field(default_factory=lambda: dict(NUMBERS))
    changes: float = Field(default=1.6, ge=1, le=100)
    mend: float = Field(default=0.8, ge=0, le=1)
    step: float = Field(default=4.0, ge=1, le=65_536)
    step_rate: float = Field(default=0.5, ge=0, le=3)
    segment: float = Field(default=2.5, ge=1, le=100)
    usual: float = Field(default=0.75, ge=0, le=1)

    @model_validator(mode="after")
    def _usable(self) -> Self:
        tables = (("operators", self.operator_weights), ("numbers", self.number_weights))
        for name, weights in tables:
            if not all(math.isfinite(weight) and weight >= 0 for weight in weights.values()):
                raise ValueError(f"{name}: weights are finite and at least 0, got {dict(weights)}")
            if not any(weights.values()):
                raise ValueError(f"{name}: at least one weight must be above 0, got {dict(weights)}")
        return self

    @property
    def operator_weights(self) -> Mapping[OperatorName, float]:
        """The weight of every operator, defaults filled in."""
        return {**OPERATORS, **self.operators}

    @property
    def number_weights(self) -> Mapping[NumberName, float]:
        """The weight of every way to change a number, defaults filled in."""
        return {**NUMBERS, **self.numbers}


OPTIONS: tuple[str, ...] = (
    *get_args(OperatorName),
    *get_args(NumberName),
    *(name for name in GenomeConfig.model_fields if name not in ("operators", "numbers")),
)
"""Everything that one number sets; the names of operators and of ways to change a number are distinct."""


def with_options(options: Mapping[str, float]) -> GenomeConfig:
    """Returns the defaults with single values changed.

    Args:
        options: value by a name of `OPTIONS`.

    Raises:
        ValidationError: a name is unknown or a value makes no sense.
    """
    layers: dict[str, float | dict[str, float]] = {}
    operators = {name: value for name, value in options.items() if name in get_args(OperatorName)}
    numbers = {name: value for name, value in options.items() if name in get_args(NumberName)}
    layers |= {name: value for name, value in options.items() if name not in (*operators, *numbers)}
    return GenomeConfig.model_validate({**layers, "operators": operators, "numbers": numbers})
