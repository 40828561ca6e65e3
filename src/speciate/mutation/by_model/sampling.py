"""How models are asked to answer, drawn anew for each call."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from speciate.records import Sampling

Effort = Literal["minimal", "low", "medium", "high"]


Temperature = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class SamplingConfig(BaseModel):
    """Lists from which each call's settings are drawn, uniformly and independently.

    The default temperatures and reply length are those of ShinkaEvolve (Lange 2025,
    https://arxiv.org/abs/2509.19349).

    Attributes:
        temperatures: None lets the provider decide.
        efforts: reasoning efforts; None asks for no extended reasoning.
        max_tokens: most tokens a reply may have.
        max_chars: longest reply that is read at all, in characters.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    temperatures: tuple[Temperature | None, ...] = Field(default=(0.0, 0.5, 1.0), min_length=1)
    efforts: tuple[Effort | None, ...] = Field(default=(None,), min_length=1)
    max_tokens: int = Field(default=16_384, ge=1)
    max_chars: int = Field(default=400_000, ge=1)

    def draw(self, rng: np.random.Generator) -> Sampling:
        """Draws the settings of one call.

        The seed makes the request of every candidate its own, so that a recording tells apart two
        candidates that ask the same in flight. Providers that take no seed are sent none.
        """
        return Sampling(
            max_tokens=self.max_tokens,
            temperature=self.temperatures[int(rng.integers(len(self.temperatures)))],
            reasoning_effort=self.efforts[int(rng.integers(len(self.efforts)))],
            seed=int(rng.integers(2**31)),
        )
