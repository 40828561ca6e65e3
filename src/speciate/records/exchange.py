"""One question to a model and its answer, as they cross rooms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from speciate.records.program import text_hash
from speciate.records.types import Dollars, Json, Seconds

_CUT = frozenset({"length", "max_tokens", "max_output_tokens"})
_DECLINED = frozenset({"content_filter", "refusal", "refused", "safety", "blocked"})

Role = Literal["system", "user", "assistant"]


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation.

    Attributes:
        role: who speaks.
        parts: pieces of text; the message is their concatenation. Pieces that recur (a parent's
            source, the task message) are stored once, so split where repetition is likely.
    """

    role: Role
    parts: tuple[str, ...]

    @property
    def text(self) -> str:
        """The whole message."""
        return "".join(self.parts)


@dataclass(frozen=True, slots=True)
class Sampling:
    """How a model is asked to answer.

    Attributes:
        max_tokens: most tokens the reply may have; always sent.
        temperature: None lets the provider decide.
        reasoning_effort: None asks for no extended reasoning.
        seed: seed for providers that take one, else None.
        grammar: GBNF grammar for servers that take one, else None.
        json_schema: JSON schema of the reply for servers that take one, else None.
    """

    max_tokens: int = 8192
    temperature: float | None = None
    reasoning_effort: Literal["minimal", "low", "medium", "high"] | None = None
    seed: int | None = None
    grammar: str | None = None
    json_schema: Mapping[str, Json] | None = None


@dataclass(frozen=True, slots=True)
class Request:
    """One question to a model: messages (the first may be the system message) and sampling."""

    messages: tuple[Message, ...]
    sampling: Sampling = field(default_factory=Sampling)

    @property
    def hash(self) -> str:
        """Hash over roles, texts and sampling; the key of a recording."""
        said = "\x1e".join(f"{m.role}\x1f{m.text}" for m in self.messages)
        return text_hash(f"{said}\x1d{self.sampling!r}")


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens and money of model calls. Adds up with ``+``.

    Attributes:
        calls: replies asked for.
        input_tokens: tokens read, cached ones included.
        output_tokens: tokens written, reasoning included.
        cached_tokens: part of the input that was read from a cache.
        reasoning_tokens: part of the output that was reasoning.
        cost: dollars, or None when a price is unknown (never 0 for unknown).
    """

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    reasoning_tokens: int = 0
    cost: Dollars | None = 0.0

    def __add__(self, other: Usage) -> Usage:
        cost = None if self.cost is None or other.cost is None else self.cost + other.cost
        return Usage(
            self.calls + other.calls,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cached_tokens + other.cached_tokens,
            self.reasoning_tokens + other.reasoning_tokens,
            cost,
        )


@dataclass(frozen=True, slots=True)
class Reply:
    """A model's answer, or the account of why there is none.

    Attributes:
        text: what the model said; empty on error.
        model: the model that answered, as the provider names it.
        usage: tokens and cost, failed tries included.
        finish: why it stopped, in the provider's words (``"stop"``, ``"length"`` ...).
        sent: settings that really went out.
        dropped: names of settings that were not sent because the model does not take them.
        retries: tries before this one.
        seconds: wall time, waits between tries included.
        error: why no answer came, or None.
    """

    text: str
    model: str
    usage: Usage = field(default_factory=Usage)
    finish: str = "stop"
    sent: Mapping[str, Json] = field(default_factory=dict)
    dropped: tuple[str, ...] = ()
    retries: int = 0
    seconds: Seconds = 0.0
    error: str | None = None

    @property
    def cut(self) -> bool:
        """Whether it ended at its greatest length: what it says is not whole."""
        return self.finish.lower() in _CUT

    @property
    def declined(self) -> bool:
        """Whether the model, or its provider, would not answer."""
        return self.finish.lower() in _DECLINED
