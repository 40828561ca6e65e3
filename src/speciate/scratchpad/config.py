"""Settings of the scratchpad."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class ScratchpadConfig(BaseModel):
    """Advice that a model draws from the run so far, for the prompts of all models.

    Attributes:
        enabled: whether there is a scratchpad. Without a model that proposes there is nobody to advise.
        model: who keeps it, by spec; None is the first model that proposes.
        interval: it is updated after so many placed candidates.
        without: share of the candidates that go without it, so that its lift can be measured.
        recommendations: most recommendations that stand at once, and most that one update may add.
        insights: most lines of insights.
        trial: no recommendation is dropped before so many candidates were made with it.
        least_chance: a recommendation is dropped when the chance that it helps is below this.
        retire: it also leaves after so many candidates, to make room for others.
        change_chars: characters shown of what one candidate changed.
        feedback_chars: characters shown of the feedback on one candidate.
        max_tokens: most tokens of a reply.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    enabled: bool = False
    model: str | None = None
    interval: int = Field(default=10, ge=1)
    without: float = Field(default=0.2, ge=0, le=1)
    recommendations: int = Field(default=5, ge=1, le=50)
    insights: int = Field(default=8, ge=1, le=50)
    trial: int = Field(default=8, ge=1)
    least_chance: float = Field(default=0.2, ge=0, le=1)
    retire: int = Field(default=40, ge=1)
    change_chars: int = Field(default=1_500, ge=0)
    feedback_chars: int = Field(default=400, ge=0)
    max_tokens: int = Field(default=4_096, ge=1)
