"""Settings of the screens."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from speciate.errors import nearest

HASH = "paths"
"""Name of our own embedding."""

PAPER_THRESHOLD = 0.95
"""The paper's, for text-embedding-3-small (Lange 2025, https://arxiv.org/abs/2509.19349)."""

HASH_THRESHOLD = 0.998
"""Ours, for our own embedding: see docs/novelty.md for what it was calibrated on."""


class BehaviourConfig(BaseModel):
    """What is told of programs that behave like one that is in the archive already.

    Attributes:
        tolerance: two programs behave the same if all values of all cases differ by no more than this, as a
            share of the larger one (of 1 for values below 1); None compares nothing.
        keep: whether such a program may enter the archive all the same. One that scores higher than the one
            it behaves like always may.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    tolerance: float | None = Field(default=1e-9, ge=0, allow_inf_nan=False)
    keep: bool = True


class NoveltyConfig(BaseModel):
    """What a program must pass before it is evaluated.

    Attributes:
        fingerprint: refuse programs that an earlier candidate already was.
        embedding: how programs become vectors that are compared: ``"off"`` compares none, ``"paths"`` is our
            own, anything else is a model by its spec (``openai:text-embedding-3-small``, ``local:NAME@URL``).
        threshold: a cosine above it is suspicious; None takes the one that belongs to the embedding, which
            for models is the paper's and should be calibrated.
        recent: programs are compared with the archive of their island and so many of the last programs there.
        genetic: whether programs of proposers that are no models are compared, too. They change a number at a
            time, which no embedding tells apart.
        judge: model that decides on what is suspicious; None refuses all of it.
        judge_tokens: most tokens of a judge's reply, reasoning included.
        judge_chars: most characters of a program that is shown to a judge; longer ones are undecided.
        undecided: what becomes of a program of which judge or embedding say nothing clear.
        audit: share of the refused that is evaluated all the same, to measure how often refusals are wrong.
        behaviour: what is told of programs that behave like another.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    fingerprint: bool = True
    embedding: str = "off"
    threshold: float | None = Field(default=None, ge=-1, le=1)
    recent: int = Field(default=1000, ge=1)
    genetic: bool = False
    judge: str | None = None
    judge_tokens: int = Field(default=4096, ge=1)
    judge_chars: int = Field(default=20_000, ge=100)
    undecided: Literal["accept", "reject"] = "accept"
    audit: float = Field(default=0.0, ge=0, le=1)
    behaviour: BehaviourConfig = BehaviourConfig()

    @field_validator("embedding")
    @classmethod
    def _known(cls, value: str) -> str:
        known = ("off", HASH)
        if value not in known and ":" not in value:
            raise ValueError(f"an embedding is {' or '.join(known)} or a model's spec{nearest(value, known)}")
        return value

    @model_validator(mode="after")
    def _judged(self) -> Self:
        if self.judge is not None and self.embedding == "off":
            raise ValueError("a judge decides on what an embedding finds suspicious: set embedding, too")
        return self

    @property
    def embeds(self) -> bool:
        """Whether programs are compared by their vectors."""
        return self.embedding != "off"

    @property
    def embedding_model(self) -> str | None:
        """The spec of the model that embeds, or None if none does."""
        if self.embedding in ("off", HASH):
            return None
        mark = "&" if "?" in self.embedding else "?"
        own = "api=embeddings" in self.embedding
        return self.embedding if own else f"{self.embedding}{mark}api=embeddings"

    @property
    def models(self) -> tuple[str, ...]:
        """The specs of all models that it asks."""
        return tuple(spec for spec in (self.embedding_model, self.judge) if spec is not None)

    @property
    def bound(self) -> float:
        """The threshold in force."""
        if self.threshold is not None:
            return self.threshold
        return HASH_THRESHOLD if self.embedding == HASH else PAPER_THRESHOLD
