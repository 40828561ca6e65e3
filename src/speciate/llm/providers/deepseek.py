"""DeepSeek."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from typing_extensions import override

from speciate.llm.base import LLM
from speciate.llm.config import LLMConfig
from speciate.llm.providers.keyed import open_keyed
from speciate.llm.providers.openai import OpenAIChat
from speciate.llm.spec import Spec
from speciate.records import Sampling

if TYPE_CHECKING:
    from openai import AsyncOpenAI
    from pydantic_ai.models import Model
    from pydantic_ai.models.openai import OpenAIChatModelSettings
    from pydantic_ai.providers import Provider


def open_deepseek(spec: Spec, config: LLMConfig) -> LLM:
    """Returns a model of DeepSeek's. The key is ``DEEPSEEK_API_KEY``; ``DEEPSEEK_BASE_URL`` moves it.

    Raises:
        ConfigError: there is no key.
        MissingExtraError: the libraries are absent.
    """
    spec.allow()
    return open_keyed(spec, config, DeepSeek)


class DeepSeek(OpenAIChat):
    """A model of DeepSeek's: OpenAI's chat, without JSON schemas, without seeds."""

    URL: ClassVar[str] = "https://api.deepseek.com"

    @override
    def _provider(self) -> Provider[AsyncOpenAI]:
        from pydantic_ai.providers.deepseek import DeepSeekProvider

        return DeepSeekProvider(openai_client=self._sdk())

    @override
    def _settings(self, sampling: Sampling, model: Model) -> OpenAIChatModelSettings:
        settings = super()._settings(sampling, model)
        settings.pop("extra_body", None)  # chat refuses a schema here
        settings.pop("seed", None)  # no such field in its documentation
        thinks = "thinking" in settings or model.profile.get("thinking_enabled_by_default", False)
        if thinks:  # then a temperature is taken without a word and without effect
            settings.pop("temperature", None)
        return settings
