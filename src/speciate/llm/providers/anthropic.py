"""Anthropic."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from typing_extensions import override

from speciate.llm.base import LLM
from speciate.llm.config import LLMConfig
from speciate.llm.providers.fitting import takes_effort, takes_temperature, thinking_budget
from speciate.llm.providers.keyed import open_keyed
from speciate.llm.providers.pydantic_ai import ChatModel
from speciate.llm.spec import Spec
from speciate.records import Sampling

if TYPE_CHECKING:
    from pydantic_ai.models import Model
    from pydantic_ai.models.anthropic import AnthropicModelSettings

LEAST_THINKING = 1024
"""The fewest thinking tokens that Claude takes, by Anthropic's documentation."""
HIGHEST_TEMPERATURE = 1.0
"""Also Claude's own temperature: a higher one is left out, which comes nearest to it."""

_VENDOR = "https://api.anthropic.com"
_CANNOT_THINK = re.compile(r"claude-(?:instant|2|3-(?!7))")
"""The models before Claude 3.7, of which the library's table says that they can."""


def open_anthropic(spec: Spec, config: LLMConfig) -> LLM:
    """Returns a model of Anthropic's. The key is ``ANTHROPIC_API_KEY``; ``ANTHROPIC_BASE_URL`` moves it.

    Raises:
        ConfigError: there is no key.
        MissingExtraError: the libraries are absent.
    """
    spec.allow()
    return open_keyed(spec, config, Anthropic)


class Anthropic(ChatModel):
    """A model behind ``/v1/messages``."""

    WIRE: ClassVar[Mapping[str, str]] = {
        "temperature": "temperature",
        "reasoning_effort": "thinking",
        "json_schema": "output_config.format",
    }

    @override
    def _open(self) -> Model:
        from anthropic import AsyncAnthropic
        from pydantic_ai.models.anthropic import AnthropicModel
        from pydantic_ai.providers.anthropic import AnthropicProvider

        url = self._endpoint.url or _VENDOR
        client = AsyncAnthropic(
            api_key=self._endpoint.key,
            base_url=url,
            max_retries=0,
            timeout=self._config.timeout,  # without one it refuses long replies that are not streamed
            http_client=self._client(url),
        )
        return AnthropicModel(self._endpoint.model, provider=AnthropicProvider(anthropic_client=client))

    @override
    def _settings(self, sampling: Sampling, model: Model) -> AnthropicModelSettings:
        settings: AnthropicModelSettings = {"max_tokens": sampling.max_tokens}
        _think(settings, sampling, model)
        if takes_claude_temperature(sampling, model, thinks=len(settings) > 1):
            assert sampling.temperature is not None  # what the function looks at first
            settings["temperature"] = sampling.temperature
        return settings


def takes_claude_temperature(sampling: Sampling, model: Model, *, thinks: bool) -> bool:
    """Says whether there is a temperature that Claude takes; none does while it thinks."""
    if sampling.temperature is None or thinks or sampling.temperature > HIGHEST_TEMPERATURE:
        return False
    return takes_temperature(model.profile, effort=None)


def can_claude_think(model: Model) -> bool:
    """Says whether a Claude can be told how hard to think, by whatever name its host knows it."""
    return takes_effort(model.profile) and _CANNOT_THINK.search(model.model_name) is None


def _think(settings: AnthropicModelSettings, sampling: Sampling, model: Model) -> None:
    """Adds how hard to think: an effort to models that take one, else a number of tokens that fits."""
    effort = sampling.reasoning_effort
    if effort is None or not can_claude_think(model):
        return
    if model.profile.get("anthropic_supports_adaptive_thinking", False):
        settings["thinking"] = effort
        return
    # The library's number is the same whatever `max_tokens` is, and may be above it.
    budget = thinking_budget(effort, sampling.max_tokens, least=LEAST_THINKING)
    if budget is not None:
        settings["anthropic_thinking"] = {"type": "enabled", "budget_tokens": budget}
