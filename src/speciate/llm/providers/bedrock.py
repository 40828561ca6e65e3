"""Amazon Bedrock's Converse."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from typing_extensions import override

from speciate.errors import ConfigError
from speciate.llm.base import LLM
from speciate.llm.catalog import Price, price_of
from speciate.llm.config import LLMConfig
from speciate.llm.credentials import Credential, environment, find_credential
from speciate.llm.providers.anthropic import LEAST_THINKING, can_claude_think, takes_claude_temperature
from speciate.llm.providers.fitting import takes_effort, takes_temperature, thinking_budget
from speciate.llm.providers.http_model import Answer, Endpoint
from speciate.llm.providers.installed import check_installed
from speciate.llm.providers.pydantic_ai import ChatModel
from speciate.llm.spec import Spec
from speciate.llm.vendors import VENDORS
from speciate.records import Request, Sampling

if TYPE_CHECKING:
    from concurrent.futures import Future

    import httpx2
    from botocore.awsrequest import AWSPreparedRequest, AWSResponse
    from botocore.client import BaseClient
    from pydantic_ai.models import Model
    from pydantic_ai.models.bedrock import BedrockModelSettings

_REGIONS = ("AWS_REGION", "AWS_DEFAULT_REGION")
_OWN_FILES = ("~/.aws/credentials", "~/.aws/config")


@dataclass(frozen=True, slots=True)
class Access:
    """How a request proves who asks.

    Attributes:
        region: the AWS region.
        bearer: a Bedrock key, or None.
        pair: access key and secret key, or None.
        token: what goes with the pair of a session, or None.

    With neither a key nor a pair, the vendor's library looks at its own files and variables.
    """

    region: str
    bearer: str | None = field(default=None, repr=False)
    pair: tuple[str, str] | None = field(default=None, repr=False)
    token: str | None = field(default=None, repr=False)


def open_bedrock(spec: Spec, config: LLMConfig) -> LLM:
    """Returns a model in Amazon Bedrock.

    The key is ``AWS_BEARER_TOKEN_BEDROCK``, or ``AWS_ACCESS_KEY_ID`` with ``AWS_SECRET_ACCESS_KEY`` (and
    ``AWS_SESSION_TOKEN``), or what a profile, a web identity or a container gives; the role of an instance is
    not looked for. The region is ``AWS_REGION``; ``AWS_ENDPOINT_URL_BEDROCK_RUNTIME`` names another address.

    Raises:
        ConfigError: there are no credentials, half of them, or no region.
        MissingExtraError: the libraries are absent.
    """
    spec.allow()
    vendor = VENDORS["bedrock"]
    key = find_credential(vendor.keys)
    if key is None and not _has_own_files():
        raise ConfigError(
            f"{spec.text!r} needs credentials: {vendor.keys[0]}, or AWS_ACCESS_KEY_ID with "
            "AWS_SECRET_ACCESS_KEY, or AWS_PROFILE"
        )
    access = _access(spec, key)
    url = environment().get(vendor.address) if key is None else key.beside(vendor.address)
    secrets = tuple(filter(None, (*(access.pair or ()), access.token)))
    endpoint = Endpoint(spec.model, url, access.bearer, more_secrets=secrets)
    check_installed(spec.text, *vendor.packages)
    return Bedrock(spec.text, endpoint, price_of(spec.text, config), config, access)


class Bedrock(ChatModel):
    """A model behind Converse.

    The vendor's library waits for its replies in threads, reads them to whatever end and retries. So it only
    writes and signs the requests here; sending them, bounded and watched, is done as for all other models.
    """

    WIRE: ClassVar[Mapping[str, str]] = {
        "temperature": "inferenceConfig.temperature",
        "reasoning_effort": "additionalModelRequestFields",
        "json_schema": "outputConfig",
    }

    def __init__(
        self, spec: str, endpoint: Endpoint, price: Price | None, config: LLMConfig, access: Access
    ) -> None:
        """Remembers where to ask and as whom; nothing is opened before the first request."""
        super().__init__(spec, endpoint, price, config)
        self._access = access
        self._boto: BaseClient | None = None

    @override
    def _open(self) -> Model:
        from pydantic_ai.models.bedrock import BedrockConverseModel
        from pydantic_ai.providers.bedrock import BedrockProvider

        from speciate.llm.providers.boto import boto_client

        self._boto = boto_client(
            region=self._access.region,
            url=self._endpoint.url,
            pair=self._access.pair,
            token=self._access.token,
            signs=self._access.bearer is None,
        )
        self._boto.meta.events.register("before-send.bedrock-runtime", self._send)
        return BedrockConverseModel(self._endpoint.model, provider=BedrockProvider(bedrock_client=self._boto))

    @override
    def _errors(self) -> tuple[type[Exception], ...]:
        from botocore.exceptions import BotoCoreError, ClientError

        return (*super()._errors(), BotoCoreError, ClientError)

    @override
    def _settings(self, sampling: Sampling, model: Model) -> BedrockModelSettings:
        settings: BedrockModelSettings = {"max_tokens": sampling.max_tokens}
        _think(settings, sampling, model)
        thinks = len(settings) > 1
        if model.profile.get("bedrock_thinking_variant") == "anthropic":
            takes = takes_claude_temperature(sampling, model, thinks=thinks)
        else:
            takes = takes_temperature(model.profile, effort=sampling.reasoning_effort if thinks else None)
        if sampling.temperature is not None and takes:
            settings["temperature"] = sampling.temperature
        return settings

    @override
    async def _ask(self, request: Request) -> Answer:
        from anyio.to_thread import current_default_thread_limiter

        # Each call waits in a thread of anyio's, which is bounded at 40 for no reason of ours.
        threads = current_default_thread_limiter()
        threads.total_tokens = max(threads.total_tokens, self._config.in_flight)
        call = _Call(asyncio.get_running_loop())
        token = _call.set(call)
        try:
            return await super()._ask(request)
        finally:
            _call.reset(token)
            call.give_up()

    @override
    async def close(self) -> None:
        if self._boto is not None:
            boto, self._boto = self._boto, None
            boto.close()
        await super().close()

    def _send(self, request: AWSPreparedRequest, **_: object) -> AWSResponse:
        """Sends a signed request from the library's thread and waits there for the whole response."""
        from botocore.awsrequest import AWSResponse

        call = _call.get()
        call.sent = asyncio.run_coroutine_threadsafe(self._fetch(request), call.loop)
        response = call.sent.result()
        return AWSResponse(request.url, response.status_code, response.headers, _Raw(response.content))

    async def _fetch(self, request: AWSPreparedRequest) -> httpx2.Response:
        headers = {name: _text(value) for name, value in request.headers.items()}
        if self._access.bearer is not None:
            headers["Authorization"] = f"Bearer {self._access.bearer}"
        client = self._client(request.url)
        return await client.request(request.method, request.url, headers=headers, content=request.body)


@dataclass(slots=True)
class _Call:
    """One call: the loop that sends it, and what is on its way."""

    loop: asyncio.AbstractEventLoop
    sent: Future[httpx2.Response] | None = None

    def give_up(self) -> None:
        """Ends the request if it is still on its way, and with it the thread that waits for it."""
        if self.sent is not None:
            self.sent.cancel()


_call: ContextVar[_Call] = ContextVar("call")  # the library copies it into its threads


class _Raw(BytesIO):
    """A body that has been read, in the shape that the library reads bodies in."""

    def stream(self) -> Iterator[bytes]:
        yield self.read()


def _think(settings: BedrockModelSettings, sampling: Sampling, model: Model) -> None:
    """Adds how hard to think: a number of tokens that fits for older Claudes, else what the library says."""
    effort, profile = sampling.reasoning_effort, model.profile
    is_claude = profile.get("bedrock_thinking_variant") == "anthropic"
    if effort is None or not (can_claude_think(model) if is_claude else takes_effort(profile)):
        return
    if not is_claude or profile.get("bedrock_supports_adaptive_thinking", False):
        settings["thinking"] = effort
        return
    budget = thinking_budget(effort, sampling.max_tokens, least=LEAST_THINKING)
    if budget is not None:
        thinking = {"type": "enabled", "budget_tokens": budget}
        settings["bedrock_additional_model_requests_fields"] = {"thinking": thinking}


def _access(spec: Spec, key: Credential | None) -> Access:
    region = _region(spec, key)
    if key is None:
        return Access(region)
    if key.name == "AWS_BEARER_TOKEN_BEDROCK":
        return Access(region, bearer=key.value)
    secret = key.source.get("AWS_SECRET_ACCESS_KEY")
    if secret is None:
        raise ConfigError(
            f"{spec.text!r}: there is AWS_ACCESS_KEY_ID in {key.source.name}, but no AWS_SECRET_ACCESS_KEY"
        )
    return Access(region, pair=(key.value, secret), token=key.source.get("AWS_SESSION_TOKEN"))


def _region(spec: Spec, key: Credential | None) -> str:
    found = environment().get(_REGIONS[0]) or environment().get(_REGIONS[1])
    if key is not None:
        found = key.beside(*_REGIONS)
    if found is None:
        raise ConfigError(f"{spec.text!r} needs a region in {_REGIONS[0]}")
    return found


def _has_own_files() -> bool:
    """Says whether the vendor's library has somewhere to look for credentials of its own."""
    named = any(os.environ.get(name) for name in VENDORS["bedrock"].others)
    return named or any(Path(path).expanduser().exists() for path in _OWN_FILES)


def _text(value: str | bytes) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else value
