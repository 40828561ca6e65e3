"""When a run has had enough."""

from __future__ import annotations

import time

from pydantic import BaseModel, ConfigDict, Field

from speciate.engine.state import State
from speciate.records import Seconds


class BudgetConfig(BaseModel):
    """Caps of a run; it stops at the first one that is reached, keeps everything and says which.

    Attributes:
        candidates: candidates proposed; planted programs are not counted.
        evaluations: runs of candidates (repeats count; re-scoring of occupants is counted apart).
        tokens: tokens of all model calls.
        cost: dollars of all model calls.
        calls: model calls.
        seconds: wall time of all sessions together.
        allow_unknown_price: whether `cost` may be used with a model whose price is unknown.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    candidates: int | None = Field(default=1000, ge=0)
    evaluations: int | None = Field(default=None, ge=1)
    tokens: int | None = Field(default=None, ge=1)
    cost: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    calls: int | None = Field(default=None, ge=0)
    seconds: Seconds | None = Field(default=None, gt=0, allow_inf_nan=False)
    allow_unknown_price: bool = False


class Budget:
    """Watches the caps that are checked between candidates; calls are capped by the ledger.

    Args:
        config: the caps.
        repeats: most evaluations of one candidate.
        spent_seconds: wall time of earlier sessions.
    """

    def __init__(self, config: BudgetConfig, *, repeats: int, spent_seconds: Seconds = 0.0) -> None:
        self._config = config
        self._repeats = repeats
        self._earlier = spent_seconds
        self._started = time.monotonic()

    @property
    def seconds(self) -> Seconds:
        """Wall time spent, earlier sessions included."""
        return self._earlier + self.session_seconds

    @property
    def session_seconds(self) -> Seconds:
        """Wall time of this session."""
        return time.monotonic() - self._started

    def full(self, state: State) -> bool:
        """Whether the candidates that develop now may use up the cap of evaluations: wait before choosing."""
        if self._config.evaluations is None:
            return False
        developing = sum(not life.ended for life in state.open.values())
        return developing > 0 and not self._fits(state, developing + 1)

    def _fits(self, state: State, candidates: int) -> bool:
        """Whether so many more candidates stay within the cap of evaluations, however often each runs."""
        cap = self._config.evaluations
        return cap is None or state.evaluations + self._repeats * candidates <= cap

    def stop_reason(self, state: State) -> str | None:
        """Returns which cap is reached, or None when another candidate may be chosen."""
        config = self._config
        if config.candidates is not None and state.proposed >= config.candidates:
            return "candidates"
        if not self._fits(state, 1):
            return "evaluations"
        if config.seconds is not None and self.seconds >= config.seconds:
            return "seconds"
        return None
