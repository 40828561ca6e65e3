"""OpenRouter, which passes requests on to many vendors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from typing_extensions import override

from speciate.llm.base import LLM
from speciate.llm.config import LLMConfig
from speciate.llm.providers.keyed import open_keyed
from speciate.llm.providers.openai import OpenAIChat
from speciate.llm.spec import Spec
from speciate.records import Sampling

if TYPE_CHECKING:
    from pydantic_ai.models import Model
    from pydantic_ai.models.openai import OpenAIChatModelSettings


def open_openrouter(spec: Spec, config: LLMConfig) -> LLM:
    """Returns a model behind OpenRouter. The key is ``OPENROUTER_API_KEY``; ``OPENROUTER_BASE_URL`` moves it.

    Raises:
        ConfigError: there is no key.
        MissingExtraError: the libraries are absent.
    """
    spec.allow()
    return open_keyed(spec, config, OpenRouter)


class OpenRouter(OpenAIChat):
    """A model behind OpenRouter's chat, whose failures may come with status 200."""

    URL: ClassVar[str] = "https://openrouter.ai/api/v1"
    WIRE: ClassVar[Mapping[str, str]] = {**OpenAIChat.WIRE, "reasoning_effort": "reasoning.effort"}

    @override
    def _open(self) -> Model:
        from pydantic_ai.models.openrouter import OpenRouterModel
        from pydantic_ai.providers.openrouter import OpenRouterProvider

        return OpenRouterModel(self._endpoint.model, provider=OpenRouterProvider(openai_client=self._sdk()))

    @override
    def _settings(self, sampling: Sampling, model: Model) -> OpenAIChatModelSettings:
        settings = super()._settings(sampling, model)
        if "thinking" in settings and self._endpoint.model.startswith("anthropic/"):
            settings.pop("temperature", None)  # Claude thinks at its own temperature
        return settings
