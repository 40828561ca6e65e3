"""Google's Gemini."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from typing_extensions import override

from speciate.llm.base import LLM
from speciate.llm.config import LLMConfig
from speciate.llm.providers.fitting import takes_effort, thinking_budget
from speciate.llm.providers.keyed import open_keyed
from speciate.llm.providers.pydantic_ai import ChatModel
from speciate.llm.spec import Spec
from speciate.records import Sampling

if TYPE_CHECKING:
    from pydantic_ai.models import Model
    from pydantic_ai.models.google import GoogleModelSettings

_VENDOR = "https://generativelanguage.googleapis.com"
_LEAST_THINKING = 512
"""What every model of the generation 2.5 takes that can think (Flash-Lite takes no less)."""
_MOST_THINKING = 24_576
"""What each of them takes (Pro takes more)."""


def open_google(spec: Spec, config: LLMConfig) -> LLM:
    """Returns a Gemini model. The key is ``GEMINI_API_KEY`` or ``GOOGLE_API_KEY``.

    ``GOOGLE_GEMINI_BASE_URL`` names another address.

    Raises:
        ConfigError: there is no key.
        MissingExtraError: the libraries are absent.
    """
    spec.allow()
    return open_keyed(spec, config, Google)


class Google(ChatModel):
    """A model behind ``:generateContent``."""

    WIRE: ClassVar[Mapping[str, str]] = {
        "temperature": "generationConfig.temperature",
        "reasoning_effort": "generationConfig.thinkingConfig",
        "seed": "generationConfig.seed",
        "json_schema": "generationConfig.responseJsonSchema",
    }

    @override
    def _open(self) -> Model:
        from pydantic_ai.models.google import GoogleModel
        from pydantic_ai.providers.google import GoogleProvider

        url = self._endpoint.url or _VENDOR
        provider = GoogleProvider(api_key=self._endpoint.key, base_url=url, http_client=self._client(url))
        return GoogleModel(self._endpoint.model, provider=provider)

    @override
    def _errors(self) -> tuple[type[Exception], ...]:
        from google.genai.errors import UnknownApiResponseError

        return (*super()._errors(), UnknownApiResponseError)

    @override
    def _settings(self, sampling: Sampling, model: Model) -> GoogleModelSettings:
        settings: GoogleModelSettings = {"max_tokens": sampling.max_tokens}
        if sampling.temperature is not None:
            settings["temperature"] = sampling.temperature
        if sampling.seed is not None:
            settings["seed"] = sampling.seed
        _think(settings, sampling, model)
        return settings


def _think(settings: GoogleModelSettings, sampling: Sampling, model: Model) -> None:
    """Adds how hard to think: a level to models that take one, else a number of tokens that fits."""
    effort = sampling.reasoning_effort
    if effort is None or not takes_effort(model.profile):
        return
    if model.profile.get("google_supports_thinking_level", True):
        settings["thinking"] = effort
        return
    budget = thinking_budget(effort, sampling.max_tokens, least=_LEAST_THINKING, most=_MOST_THINKING)
    if budget is not None:
        settings["google_thinking_config"] = {"thinking_budget": budget}
