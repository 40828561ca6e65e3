"""Every vendor behind a fake server, for tests that all of them pass."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import pytest

from speciate.testing.fake_anthropic import FakeAnthropic
from speciate.testing.fake_bedrock import FakeBedrock
from speciate.testing.fake_google import FakeGoogle
from speciate.testing.fake_openai import FakeAzure, FakeDeepSeek, FakeOpenAI, FakeOpenRouter
from speciate.testing.fake_server import Behaviour, FakeServer

KEY = "planted-key-9f3a7c51"
"""A key that looks like nothing, so that only knowing it can take it out of a text."""


@dataclass(frozen=True, slots=True)
class Vended:
    """A vendor's interface and a model behind it.

    Attributes:
        spec: the model's spec; its model is in the public price list.
        fake: who answers.
        key: the variable with the key.
        address: the variable with the fake's address.
        more: further variables that are needed.
        path: where the requests arrive.
    """

    spec: str
    fake: type[FakeServer]
    key: str
    address: str
    path: str
    more: Mapping[str, str]

    @contextmanager
    def served(
        self,
        monkeypatch: pytest.MonkeyPatch,
        behaviours: Sequence[Behaviour] = (),
        *,
        otherwise: Behaviour | None = None,
    ) -> Iterator[FakeServer]:
        """Gives a fake that the environment's variables point to, with a key."""
        with self.fake(behaviours, otherwise=otherwise) as server:
            monkeypatch.setenv(self.key, KEY)
            monkeypatch.setenv(self.address, server.url)
            for name, value in self.more.items():
                monkeypatch.setenv(name, value)
            yield server


def _vended(spec: str, fake: type[FakeServer], key: str, address: str, path: str, **more: str) -> Vended:
    return Vended(spec, fake, key, address, path, more)


_CLAUDE = "us.anthropic.claude-haiku-4-5-20251001-v1:0"
_CONVERSE = f"/model/{_CLAUDE.replace(':', '%3A')}/converse"

VENDED: tuple[Vended, ...] = (
    _vended("openai:gpt-5-mini", FakeOpenAI, "OPENAI_API_KEY", "OPENAI_BASE_URL", "/v1/chat/completions"),
    _vended(
        "openai:gpt-5-mini?api=responses", FakeOpenAI, "OPENAI_API_KEY", "OPENAI_BASE_URL", "/v1/responses"
    ),
    _vended(
        "anthropic:claude-haiku-4-5",
        FakeAnthropic,
        "ANTHROPIC_API_KEY",
        "ANTHROPIC_BASE_URL",
        "/v1/messages",
    ),
    _vended(
        "google:gemini-2.5-flash",
        FakeGoogle,
        "GEMINI_API_KEY",
        "GOOGLE_GEMINI_BASE_URL",
        "/v1beta/models/gemini-2.5-flash:generateContent",
    ),
    _vended(
        "deepseek:deepseek-chat",
        FakeDeepSeek,
        "DEEPSEEK_API_KEY",
        "DEEPSEEK_BASE_URL",
        "/v1/chat/completions",
    ),
    _vended(
        "openrouter:anthropic/claude-haiku-4.5",
        FakeOpenRouter,
        "OPENROUTER_API_KEY",
        "OPENROUTER_BASE_URL",
        "/v1/chat/completions",
    ),
    _vended(
        "azure:gpt-5-mini",
        FakeAzure,
        "AZURE_OPENAI_API_KEY",
        "AZURE_OPENAI_ENDPOINT",
        "/openai/v1/chat/completions",
    ),
    _vended(
        "azure:gpt-5-mini?api=responses",
        FakeAzure,
        "AZURE_OPENAI_API_KEY",
        "AZURE_OPENAI_ENDPOINT",
        "/openai/v1/responses",
    ),
    _vended(
        f"bedrock:{_CLAUDE}",
        FakeBedrock,
        "AWS_BEARER_TOKEN_BEDROCK",
        "AWS_ENDPOINT_URL_BEDROCK_RUNTIME",
        _CONVERSE,
        AWS_REGION="us-east-1",
    ),
)
"""All of them; ``local:`` is tested apart."""
