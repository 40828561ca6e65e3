"""OpenAI's models in Azure, named by their deployments."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast
from urllib.parse import urlsplit

from typing_extensions import override

from speciate.errors import ConfigError
from speciate.llm.base import LLM
from speciate.llm.catalog import price_of
from speciate.llm.config import LLMConfig
from speciate.llm.credentials import need_credential
from speciate.llm.providers.http_model import Endpoint
from speciate.llm.providers.installed import check_installed
from speciate.llm.providers.openai import OpenAIChat, OpenAIResponses, api_of
from speciate.llm.spec import Spec
from speciate.llm.vendors import VENDORS

if TYPE_CHECKING:
    from openai import AsyncAzureOpenAI, AsyncOpenAI
    from pydantic_ai.providers import Provider


def open_azure(spec: Spec, config: LLMConfig) -> LLM:
    """Returns a deployment in Azure, asked through the resource's ``/openai/v1``.

    The key is ``AZURE_OPENAI_API_KEY``, the resource's address ``AZURE_OPENAI_ENDPOINT``. The rules of a
    model are looked up by the deployment's name, so give it the model's.

    Raises:
        ConfigError: the key or the address is missing.
        MissingExtraError: the libraries are absent.
    """
    spec.allow("api")
    kind = api_of(spec, chat=AzureChat, responses=AzureResponses)
    vendor = VENDORS["azure"]
    key = need_credential(spec.text, *vendor.keys)
    address = key.beside(vendor.address)
    if address is None:
        raise ConfigError(f"{spec.text!r} needs the address of the resource in {vendor.address}")
    check_installed(spec.text, *vendor.packages)
    endpoint = Endpoint(spec.model, _v1(address), key.value)
    return kind(spec.text, endpoint, price_of(spec.text, config), config)


class AzureChat(OpenAIChat):
    """A deployment behind ``/chat/completions``."""

    @override
    def _provider(self) -> Provider[AsyncOpenAI]:
        return _provider(self._sdk())


class AzureResponses(OpenAIResponses):
    """A deployment behind ``/responses``."""

    @override
    def _provider(self) -> Provider[AsyncOpenAI]:
        return _provider(self._sdk())


def _provider(client: AsyncOpenAI) -> Provider[AsyncOpenAI]:
    from pydantic_ai.providers.azure import AzureProvider

    # Typed for the client of the old, dated interface; of either client it reads the address and the key.
    return AzureProvider(openai_client=cast("AsyncAzureOpenAI", client))


def _v1(address: str) -> str:
    """Returns the address of the interface without versions, whatever part of it the user gave."""
    parts = urlsplit(address)
    if parts.path.rstrip("/").endswith("/v1"):
        return address.rstrip("/")
    return f"{address.rstrip('/')}/openai/v1"
