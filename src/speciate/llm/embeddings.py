"""Models that turn text into vectors: OpenAI's, and any server with ``/v1/embeddings``.

An embedding is a reply like any other: its text is the vector, packed. So it is reserved, recorded, retried,
replayed and counted as every other call is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from typing_extensions import override

from speciate.errors import ConfigError
from speciate.llm.base import LLM
from speciate.llm.catalog import price_of
from speciate.llm.config import LLMConfig
from speciate.llm.credentials import need_credential
from speciate.llm.providers.http_model import DECODING_ERRORS, Answer, Endpoint, HTTPModel
from speciate.llm.providers.installed import check_installed
from speciate.llm.providers.openai import sdk
from speciate.llm.spec import Spec
from speciate.llm.vectors import pack
from speciate.llm.vendors import VENDORS
from speciate.records import Request, Usage

if TYPE_CHECKING:
    from openai import AsyncOpenAI


def open_embedding(spec: Spec, config: LLMConfig) -> LLM:
    """Returns a model that embeds: ``openai:NAME?api=embeddings`` or ``local:NAME@URL?api=embeddings``.

    Raises:
        ConfigError: it is of another kind, or its key or server is missing.
        MissingExtraError: the library is absent.
    """
    spec.allow("api", "key")
    if spec.kind not in ("openai", "local"):
        raise ConfigError(f"{spec.text!r} cannot embed: only openai: and local: models can")
    endpoint = _vendor(spec) if spec.kind == "openai" else _server(spec)
    check_installed(spec.text, "openai")
    return Embeddings(spec.text, endpoint, price_of(spec.text, config), config)


def _vendor(spec: Spec) -> Endpoint:
    vendor = VENDORS["openai"]
    key = need_credential(spec.text, *vendor.keys)
    return Endpoint(spec.model, key.beside(vendor.address), key.value)


def _server(spec: Spec) -> Endpoint:
    url = spec.name[len(spec.model) + 1 :]
    if not spec.model or not url or urlsplit(url).username is not None:
        raise ConfigError(
            f"{spec.text!r} is not of the form local:<model>@http://host:port/v1?api=embeddings"
        )
    variable = spec.option("key", "")
    key = need_credential(spec.text, variable).value if variable else None
    return Endpoint(spec.model, url, key, local=True)


class Embeddings(HTTPModel):
    """A model behind ``/embeddings``. A request's messages are joined to the one text that is embedded."""

    _open: AsyncOpenAI

    @override
    def _prepare(self) -> None:
        self._open = sdk(self._endpoint, self._client, self._config)

    @override
    def _errors(self) -> tuple[type[Exception], ...]:
        from openai import OpenAIError

        # The library reads fields of replies that it has not checked.
        return (OpenAIError, IndexError, AttributeError, TypeError, ValueError, *DECODING_ERRORS)

    @override
    async def _ask(self, request: Request) -> Answer:
        made = await self._open.embeddings.create(
            model=self._endpoint.model,
            input="\n\n".join(message.text for message in request.messages),
            encoding_format="float",
        )
        # A server that does not count is counted from above, as the ledger does it.
        usage = Usage(1, made.usage.prompt_tokens if made.usage else 0)
        return Answer(pack(made.data[0].embedding), made.model or self._endpoint.model, usage, "stop")
