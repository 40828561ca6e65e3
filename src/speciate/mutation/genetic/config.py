"""Settings of the genetic operators."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class GeneticConfig(BaseModel):
    """Settings of the genetic proposer.

    Attributes:
        step: size of a first step of a constant, relative to its natural size.
        step_rate: how fast the step adapts: standard deviation of its logarithm from parent to child.
        step_drift: mean of the same change. Where only better children survive, the smallest steps succeed
            most often, and without a drift upwards they shrink until nothing moves.
        structure: share of mutations that change structure rather than constants.
        growth: how much larger than its parent a child may be, as a factor (and 64 bytes).
        largest: how much larger than the initial program any child may be, as a factor (and 512 bytes).
        tries: how many operators are tried before an attempt is rejected.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    step: float = Field(default=0.1, gt=0, le=1)
    step_rate: float = Field(default=1.0, ge=0, le=3)
    step_drift: float = Field(default=0.5, ge=0, le=2)
    structure: float = Field(default=0.25, ge=0, le=1)
    growth: float = Field(default=1.2, ge=1, allow_inf_nan=False)
    largest: float = Field(default=4.0, ge=1, allow_inf_nan=False)
    tries: int = Field(default=20, ge=1)
