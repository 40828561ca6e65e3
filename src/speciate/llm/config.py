"""Settings of the llm room, defaults in one place."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from speciate.records import Seconds


class ModelPrice(BaseModel):
    """What a model costs, in dollars per million tokens.

    Attributes:
        input: price of tokens read.
        output: price of tokens written, reasoning included.
        cached: price of tokens read from the provider's cache; None means the price of `input`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    input: float = Field(ge=0, allow_inf_nan=False)
    output: float = Field(ge=0, allow_inf_nan=False)
    cached: float | None = Field(default=None, ge=0, allow_inf_nan=False)


class RetryConfig(BaseModel):
    """How often and how fast a model is asked again after `ModelUnavailableError`.

    Attributes:
        attempts: most tries of one request, the first included.
        first_wait: seconds before the second try; doubles from try to try.
        max_wait: most seconds between two tries by our own reckoning.
        max_retry_after: most seconds we wait when the provider names a time.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    attempts: int = Field(default=4, ge=1)
    first_wait: Seconds = Field(default=1.0, ge=0, allow_inf_nan=False)
    max_wait: Seconds = Field(default=30.0, ge=0, allow_inf_nan=False)
    max_retry_after: Seconds = Field(default=120.0, ge=0, allow_inf_nan=False)


class LLMConfig(BaseModel):
    """Settings of every model of a run.

    Attributes:
        in_flight: most calls at once to one provider (to one server for ``local:``).
        timeout: most seconds one try may take.
        max_reply_bytes: a longer reply is cut off and counts as unavailable.
        prices: dollars per million tokens, by spec or by bare model name; goes before every other source.
        retry: when to ask again.
        record: file that every reply is appended to, for ``replay:``; None records nothing.
        replay: file whose recorded replies stand in for every model of the run; None asks the models.
        simulate_latency: whether ``simulated:`` characters really wait as long as they declare.
        spool_poll: seconds between two looks into a spool's folder.
        spool_timeout: most seconds to wait for an answer in a spool; None waits for ever, for people sleep.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    in_flight: int = Field(default=64, ge=1)
    timeout: Seconds = Field(default=300.0, gt=0, allow_inf_nan=False)
    max_reply_bytes: int = Field(default=8 * 2**20, ge=1024)
    prices: Mapping[str, ModelPrice] = Field(default_factory=dict)
    retry: RetryConfig = RetryConfig()
    record: Path | None = None
    replay: Path | None = None
    simulate_latency: bool = False
    spool_poll: Seconds = Field(default=0.5, gt=0, allow_inf_nan=False)
    spool_timeout: Seconds | None = Field(default=None, gt=0, allow_inf_nan=False)

    @model_validator(mode="after")
    def _record_or_replay(self) -> Self:
        if self.record is not None and self.replay is not None:
            raise ValueError("record and replay exclude each other: a replayed run asks nobody")
        return self
