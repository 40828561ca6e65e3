"""OpenAI's models, asked through chat or through responses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, ClassVar

from typing_extensions import override

from speciate.llm.base import LLM
from speciate.llm.config import LLMConfig
from speciate.llm.providers.fitting import takes_effort, takes_temperature
from speciate.llm.providers.http_model import Endpoint
from speciate.llm.providers.keyed import open_keyed
from speciate.llm.providers.pydantic_ai import ChatModel
from speciate.llm.spec import Spec
from speciate.records import Json, Sampling

if TYPE_CHECKING:
    import httpx2
    from openai import AsyncOpenAI
    from pydantic_ai.models import Model, ModelRequestParameters
    from pydantic_ai.models.openai import OpenAIChatModelSettings, OpenAIResponsesModelSettings
    from pydantic_ai.providers import Provider

_VENDOR = "https://api.openai.com/v1"
_NO_KEY = "none"  # the client insists on a key; servers that want none ignore it


def open_openai(spec: Spec, config: LLMConfig) -> LLM:
    """Returns a model of OpenAI's. The key is ``OPENAI_API_KEY``; ``OPENAI_BASE_URL`` names another address.

    The option ``api=responses`` asks through ``/responses`` instead of ``/chat/completions``, which some
    models want.

    Raises:
        ConfigError: there is no key.
        MissingExtraError: the libraries are absent.
    """
    spec.allow("api")
    kind = api_of(spec, chat=OpenAIChat, responses=OpenAIResponses)
    return open_keyed(spec, config, kind)


def api_of(spec: Spec, *, chat: type[ChatModel], responses: type[ChatModel]) -> type[ChatModel]:
    """Returns the class that a spec's option ``api`` asks for; chat by default."""
    return responses if spec.option("api", "chat", ("chat", "responses")) == "responses" else chat


class OpenAIChat(ChatModel):
    """A model behind ``/chat/completions``."""

    URL: ClassVar[str] = _VENDOR

    def _sdk(self) -> AsyncOpenAI:
        return sdk(self._endpoint, self._client, self._config, url=self.URL)

    def _provider(self) -> Provider[AsyncOpenAI]:
        """Returns the library's account of the vendor, which knows the vendor's models."""
        from pydantic_ai.providers.openai import OpenAIProvider

        return OpenAIProvider(openai_client=self._sdk())

    @override
    def _open(self) -> Model:
        from pydantic_ai.models.openai import OpenAIChatModel

        return OpenAIChatModel(self._endpoint.model, provider=self._provider())

    @override
    def _settings(self, sampling: Sampling, model: Model) -> OpenAIChatModelSettings:
        settings: OpenAIChatModelSettings = {"max_tokens": sampling.max_tokens}
        effort = sampling.reasoning_effort if takes_effort(model.profile) else None
        if sampling.temperature is not None and takes_temperature(model.profile, effort=effort):
            settings["temperature"] = sampling.temperature
        if sampling.seed is not None:
            settings["seed"] = sampling.seed
        if effort is not None:
            # The library's own setting is fitted to the efforts that the model takes.
            settings["thinking"] = effort
        if body := with_schema(sampling):
            settings["extra_body"] = body
        return settings

    @override
    def _parameters(self, sampling: Sampling, model: Model) -> ModelRequestParameters | None:
        return None  # the schema goes into the body as it is; the library would rewrite it


class OpenAIResponses(ChatModel):
    """A model behind ``/responses``, which is told to keep nothing."""

    WIRE: ClassVar[Mapping[str, str]] = {
        "temperature": "temperature",
        "reasoning_effort": "reasoning.effort",
        "json_schema": "text.format",
    }

    def _sdk(self) -> AsyncOpenAI:
        return sdk(self._endpoint, self._client, self._config)

    def _provider(self) -> Provider[AsyncOpenAI]:
        """Returns the library's account of the vendor, which knows the vendor's models."""
        from pydantic_ai.providers.openai import OpenAIProvider

        return OpenAIProvider(openai_client=self._sdk())

    @override
    def _open(self) -> Model:
        from pydantic_ai.models.openai import OpenAIResponsesModel

        return OpenAIResponsesModel(self._endpoint.model, provider=self._provider())

    @override
    def _settings(self, sampling: Sampling, model: Model) -> OpenAIResponsesModelSettings:
        settings: OpenAIResponsesModelSettings = {"max_tokens": sampling.max_tokens, "openai_store": False}
        effort = sampling.reasoning_effort if takes_effort(model.profile) else None
        if sampling.temperature is not None and takes_temperature(model.profile, effort=effort):
            settings["temperature"] = sampling.temperature
        if effort is not None:
            settings["thinking"] = effort
        return settings


def sdk(
    endpoint: Endpoint,
    client: Callable[[str], httpx2.AsyncClient],
    config: LLMConfig,
    *,
    url: str = _VENDOR,
) -> AsyncOpenAI:
    """Returns the vendor's client without retries of its own, on a model's HTTP client.

    Args:
        endpoint: where the model is; its own address goes before `url`.
        client: gives the HTTP client for an address.
        config: bounds the time of a request.
        url: the vendor's address.
    """
    from openai import AsyncOpenAI

    url = endpoint.url or url
    return AsyncOpenAI(
        api_key=endpoint.key or _NO_KEY,
        base_url=url,
        max_retries=0,
        timeout=config.timeout,
        http_client=client(url),
    )


def with_schema(sampling: Sampling) -> dict[str, Json]:
    """Returns the part of a chat's body that asks for a JSON schema; empty when none is asked for."""
    if sampling.json_schema is None:
        return {}
    schema: Json = {"name": "reply", "schema": dict(sampling.json_schema)}
    return {"response_format": {"type": "json_schema", "json_schema": schema}}
