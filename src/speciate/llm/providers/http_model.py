"""What all models behind an HTTP server have in common."""

from __future__ import annotations

import asyncio
import json
import time
from abc import abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from speciate.errors import ModelError, ModelRefusedError, ModelUnavailableError
from speciate.llm.base import LLM
from speciate.llm.catalog import Price, priced
from speciate.llm.config import LLMConfig
from speciate.llm.prompt import optional_settings
from speciate.llm.secrets import redact
from speciate.llm.tokens import at_most, request_at_most
from speciate.records import Json, Reply, Request, Usage

if TYPE_CHECKING:
    import httpx2

    from speciate.llm.providers.wire import Exchange

_LONGEST_MESSAGE = 500
_WAIT_AND_SEE = (408, 409, 425, 429)
_NOT_SETTINGS = ("messages", "prompt", "model", "stream", "n")
_ON_THE_WIRE: Mapping[str, str] = {
    "temperature": "temperature",
    "reasoning_effort": "reasoning_effort",
    "seed": "seed",
    "grammar": "grammar",
    "json_schema": "response_format",
}
"""Where each setting of `Sampling` appears in a request's body."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a model lives.

    Attributes:
        model: the name the server knows it by.
        url: the server's address, or None for the vendor's own.
        key: the key, or None for servers that want none.
        local: whether it is a server of the user's own, which takes settings that vendors refuse.
        grammar: whether it takes llama.cpp's field for a grammar, which other servers refuse.
    """

    model: str
    url: str | None
    key: str | None
    local: bool
    grammar: bool = False

    def __repr__(self) -> str:
        """Shows everything but the key."""
        return f"Endpoint({self.model!r}, {self.url!r}, key={'yes' if self.key else 'no'})"


@dataclass(frozen=True, slots=True)
class Answer:
    """A server's answer before it is a `Reply`.

    Attributes:
        text: what the model said.
        model: who answered, in the server's words.
        usage: tokens; all 0 when the server did not count.
        finish: why it stopped.
        refused: the model's or the filter's refusal, or None.
    """

    text: str
    model: str
    usage: Usage
    finish: str
    refused: str | None = None


class HTTPModel(LLM):
    """One try a call, bounded in time and size, with what was sent in the reply.

    A subclass says how to ask (`_ask`); errors of its library are translated here, by what the transport saw.
    """

    def __init__(self, spec: str, endpoint: Endpoint, price: Price | None, config: LLMConfig) -> None:
        """Remembers where to ask; nothing is opened before the first request."""
        self.spec = spec
        self._endpoint = endpoint
        self._price = price
        self._config = config
        self._http: httpx2.AsyncClient | None = None

    @abstractmethod
    async def _ask(self, request: Request) -> Answer:
        """Sends one request through the client of `_client`."""

    @abstractmethod
    def _errors(self) -> tuple[type[Exception], ...]:
        """Returns the library's own errors that mean: no answer."""

    async def complete(self, request: Request, *, repeat: int = 0) -> Reply:
        """See `LLM`. An empty or refused answer was paid for, so it is a reply with `error` set."""
        from speciate.llm.providers.wire import watched

        began = time.monotonic()
        with watched() as exchange:
            try:
                async with asyncio.timeout(self._config.timeout):
                    answer = await self._ask(request)
            except TimeoutError as error:
                message = f"{self.spec}: no answer within {self._config.timeout:g} s"
                raise ModelUnavailableError(message, may_bill=bool(exchange.body)) from error
            except self._errors() as error:
                raise _translated(self.spec, error, exchange, self._endpoint.key) from None
        return self._reply(request, answer, exchange, time.monotonic() - began)

    async def close(self) -> None:
        """Closes the connections."""
        if self._http is not None:
            client, self._http = self._http, None
            await client.aclose()

    def _client(self, url: str) -> httpx2.AsyncClient:
        """Returns the one HTTP client of this model, opened on first use."""
        from speciate.llm.providers.wire import http_client

        if self._http is None:
            limit = self._config.max_reply_bytes
            self._http = http_client(url, timeout=self._config.timeout, limit=limit)
        return self._http

    def _reply(self, request: Request, answer: Answer, exchange: Exchange, seconds: float) -> Reply:
        sent = {name: value for name, value in exchange.body.items() if name not in _NOT_SETTINGS}
        return Reply(
            text=_sound(answer.text),
            model=_sound(answer.model),
            usage=priced(_counted(answer, request), self._price),
            finish=_sound(answer.finish),
            sent=sent,
            dropped=_dropped(request, sent),
            seconds=seconds,
            error=_complaint(answer, self._endpoint.key),
        )


def _dropped(request: Request, sent: Mapping[str, Json]) -> tuple[str, ...]:
    return tuple(name for name in optional_settings(request) if _ON_THE_WIRE[name] not in sent)


def _counted(answer: Answer, request: Request) -> Usage:
    """Returns the usage, estimated from above when the server did not count."""
    if answer.usage.input_tokens or answer.usage.output_tokens:
        return answer.usage
    return Usage(1, request_at_most(request), at_most(answer.text))


def _complaint(answer: Answer, key: str | None) -> str | None:
    if answer.refused is not None:
        return _bounded(f"the model refused: {answer.refused}", key)
    if not answer.text.strip():
        return f"the model's reply is empty (it stopped with {answer.finish!r})"
    return None


def _translated(spec: str, error: Exception, exchange: Exchange, key: str | None) -> ModelError:
    """Returns our error for a library's, judged by what the transport saw."""
    status = exchange.status
    if exchange.too_large:
        return ModelUnavailableError(f"{spec}: the reply is too large", may_bill=True)
    if isinstance(error, UnicodeEncodeError):
        return ModelRefusedError(f"{spec}: the prompt holds half a surrogate pair, which cannot be sent")
    if status is None or status < 400:
        never_sent = status is None and any(_is_connect_error(cause) for cause in _causes(error))
        message = "; ".join(dict.fromkeys(str(cause) for cause in _causes(error) if str(cause)))
        return ModelUnavailableError(_bounded(f"{spec}: no answer: {message}", key), may_bill=not never_sent)
    said = exchange.complaint.decode("utf-8", "replace").strip()
    message = _bounded(f"{spec}: status {status}: {said}", key)
    out_of_money = status == 429 and b"insufficient_quota" in exchange.complaint
    if (status in _WAIT_AND_SEE and not out_of_money) or status >= 500:
        return ModelUnavailableError(message, retry_after=_seconds(exchange.retry_after))
    return ModelRefusedError(message)


def _bounded(message: str, key: str | None) -> str:
    return _sound(redact(message, key or ""))[:_LONGEST_MESSAGE]


def _sound(text: str) -> str:
    """Returns the text with halves of surrogate pairs replaced: JSON can say them, no file can hold them."""
    return text.encode("utf-8", "replace").decode()


def _causes(error: BaseException) -> Iterator[BaseException]:
    """Yields an error and what caused it, down to the bottom."""
    cause: BaseException | None = error
    while cause is not None:
        yield cause
        cause = cause.__cause__


def _is_connect_error(error: BaseException) -> bool:
    import httpx2

    return isinstance(error, httpx2.ConnectError | httpx2.ConnectTimeout)


def _seconds(header: str | None) -> float | None:
    """Returns a ``retry-after`` header in seconds; None when absent or a date, which clocks disagree on."""
    try:
        seconds = float(header or "")
    except ValueError:
        return None
    return seconds if 0 <= seconds < float("inf") else None


DECODING_ERRORS: tuple[type[Exception], ...] = (json.JSONDecodeError, UnicodeError)
"""Errors of a reply that is no JSON or of a text that is no Unicode, which libraries let through."""
