"""Settings of the wordings of the system prompt."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from speciate.bandits import RewardScale


class WordingsConfig(BaseModel):
    """Wordings of the system prompt that a model varies, tried side by side and chosen by UCB1.

    Attributes:
        enabled: whether they evolve. Without a model that proposes there is nobody to read them.
        proposer: who varies them, by spec; None is the first model that reads them.
        interval: a new one is asked for after so many placed candidates.
        size: most wordings at once, the task's own among them, which always stays.
        trial: no wording makes room for another before so many of its candidates have ended.
        exploration: the coefficient of UCB1; 0 never again tries what once was worse.
        reward_scale: ``mad`` takes gains in units of their median absolute deviation, ``none`` as they are.
        most_chars: longest wording, in characters; a task's own that is longer raises it to its length.
        examples: so many of its best candidates, and of its worst, are told to whoever varies a wording.
        change_chars: characters shown of what one of these candidates changed.
        feedback_chars: characters shown of the feedback on one of them.
        max_tokens: most tokens of a reply.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    enabled: bool = False
    proposer: str | None = None
    interval: int = Field(default=20, ge=1)
    size: int = Field(default=6, ge=2, le=100)
    trial: int = Field(default=8, ge=1)
    exploration: float = Field(default=1.0, ge=0, allow_inf_nan=False)
    reward_scale: RewardScale = "mad"
    most_chars: int = Field(default=4_000, ge=100)
    examples: int = Field(default=3, ge=0, le=50)
    change_chars: int = Field(default=1_000, ge=0)
    feedback_chars: int = Field(default=300, ge=0)
    max_tokens: int = Field(default=4_096, ge=1)
