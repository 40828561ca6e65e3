"""What all models behind an HTTP server have in common."""

from __future__ import annotations

import asyncio
import json
import os
import re
import time
from abc import abstractmethod
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, ClassVar

from speciate.errors import ModelError, ModelRefusedError, ModelUnavailableError
from speciate.llm.base import LLM
from speciate.llm.catalog import Price, priced
from speciate.llm.config import LLMConfig
from speciate.llm.prompt import optional_settings
from speciate.llm.secrets import redact, without
from speciate.llm.tokens import at_most, request_at_most
from speciate.records import Json, Reply, Request, Usage

if TYPE_CHECKING:
    import httpx2

    from speciate.llm.providers.wire import Exchange

_LONGEST_MESSAGE = 500
_WAIT_AND_SEE = (408, 409, 425, 429)
_RETRY_DELAY = re.compile(rb'"retryDelay":\s*"([0-9.]+)s"')


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a model lives.

    Attributes:
        model: the name the server knows it by.
        url: the server's address, or None for the vendor's own.
        key: the key, or None for servers that want none.
        local: whether it is a server of the user's own, which takes settings that vendors refuse.
        grammar: whether it takes llama.cpp's field for a grammar, which other servers refuse.
        more_secrets: what else must not be shown of the credentials.
    """

    model: str
    url: str | None
    key: str | None
    local: bool = False
    grammar: bool = False
    more_secrets: tuple[str, ...] = ()

    @property
    def secrets(self) -> tuple[str, ...]:
        """What must not be shown."""
        return (*filter(None, (self.key,)), *self.more_secrets)

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

    Attributes:
        WIRE: where each setting of `Sampling` appears in a request's body, as names joined by dots.
    """

    WIRE: ClassVar[Mapping[str, str]] = {
        "temperature": "temperature",
        "reasoning_effort": "reasoning_effort",
        "seed": "seed",
        "grammar": "grammar",
        "json_schema": "response_format",
    }

    def __init__(self, spec: str, endpoint: Endpoint, price: Price | None, config: LLMConfig) -> None:
        """Remembers where to ask; nothing is opened before the first request."""
        self.spec = spec
        self._endpoint = endpoint
        self._price = price
        self._config = config
        self._http: httpx2.AsyncClient | None = None
        self._is_ready = False

    @abstractmethod
    def _prepare(self) -> None:
        """Imports the library and opens its client. Blocks; called by one thread at a time."""

    @abstractmethod
    async def _ask(self, request: Request) -> Answer:
        """Sends one request through the client of `_client`."""

    @abstractmethod
    def _errors(self) -> tuple[type[Exception], ...]:
        """Returns the library's own errors that mean: no answer."""

    def _status(self, error: Exception) -> int | None:
        """Returns the status that a library read out of a reply which came with status 200, or None."""
        del error
        return None

    async def complete(self, request: Request, *, repeat: int = 0) -> Reply:
        """See `LLM`. An empty or refused answer was paid for, so it is a reply with `error` set."""
        from speciate.llm.providers.wire import watched

        began = time.monotonic()
        with watched() as exchange:
            try:
                await self._get_ready()
                async with asyncio.timeout(self._config.timeout):
                    answer = await self._ask(request)
            except TimeoutError as error:
                message = f"{self.spec}: no answer within {self._config.timeout:g} s"
                raise ModelUnavailableError(message, may_bill=exchange.sent) from error
            except self._errors() as error:
                raise self._translated(error, exchange) from None
        return self._reply(request, answer, exchange, time.monotonic() - began)

    async def _get_ready(self) -> None:
        """Imports and opens what the first request needs, once, outside the event loop and the time limit.

        Importing a vendor's library takes seconds, in which other calls must go on and which are not theirs.
        """
        if not self._is_ready:
            loop = asyncio.get_running_loop()
            await loop.run_in_executor(_opener(), self._get_ready_once)

    def _get_ready_once(self) -> None:
        if not self._is_ready:
            self._prepare()
            self._is_ready = True

    async def close(self) -> None:
        """Closes the connections; a later request opens new ones."""
        self._is_ready = False
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
        sent = exchange.settings
        return Reply(
            text=self._clean(answer.text),
            model=self._clean(answer.model),
            usage=priced(_counted(answer, request), self._price),
            finish=self._clean(answer.finish),
            sent=sent,
            dropped=tuple(
                name for name in optional_settings(request) if not _holds(sent, self.WIRE.get(name))
            ),
            seconds=seconds,
            error=self._complaint(answer),
        )

    def _clean(self, text: str) -> str:
        """Returns a server's text without this model's key, should the server repeat it."""
        return without(_sound(text), *self._endpoint.secrets)

    def _complaint(self, answer: Answer) -> str | None:
        if answer.refused is not None:
            return self._bounded(f"the model refused: {answer.refused}")
        if not answer.text.strip():
            return f"the model's reply is empty (it stopped with {self._clean(answer.finish)!r})"
        return None

    def _bounded(self, message: str) -> str:
        return _sound(redact(message, *self._endpoint.secrets))[:_LONGEST_MESSAGE]

    def _translated(self, error: Exception, exchange: Exchange) -> ModelError:
        """Returns our error for a library's, judged by what the transport saw."""
        if exchange.too_large:
            return ModelUnavailableError(f"{self.spec}: the reply is too large", may_bill=True)
        if isinstance(error, UnicodeEncodeError):
            return ModelRefusedError(
                f"{self.spec}: the prompt holds half a surrogate pair, which cannot be sent"
            )
        message = "; ".join(dict.fromkeys(str(cause) for cause in _causes(error) if str(cause)))
        if not exchange.sent:
            return ModelRefusedError(self._bounded(f"{self.spec}: cannot be asked: {message}"))
        if exchange.status is not None and 300 <= exchange.status < 400:
            return ModelRefusedError(
                f"{self.spec}: status {exchange.status}: the server names another address, where no key "
                "is sent unasked; give that address instead"
            )
        if exchange.status is None or exchange.status < 400:
            return self._no_answer(error, exchange, message)
        said = exchange.complaint.decode("utf-8", "replace").strip()
        return self._refusal(exchange.status, said, exchange)

    def _no_answer(self, error: Exception, exchange: Exchange, message: str) -> ModelError:
        """Returns the error for a reply that did not come, or came with status 200 and is none."""
        status = self._status(error)
        if exchange.status is not None and status is not None and status >= 400:
            return self._refusal(status, message, exchange)
        never_sent = exchange.status is None and any(_is_connect_error(cause) for cause in _causes(error))
        text = self._bounded(f"{self.spec}: no answer: {message}")
        return ModelUnavailableError(text, may_bill=not never_sent)

    def _refusal(self, status: int, said: str, exchange: Exchange) -> ModelError:
        """Returns the error for a status: some may pass, others will not."""
        message = self._bounded(f"{self.spec}: status {status}: {said}")
        out_of_money = status == 429 and b"insufficient_quota" in exchange.complaint
        if (status in _WAIT_AND_SEE and not out_of_money) or status >= 500:
            return ModelUnavailableError(message, retry_after=_retry_after(exchange))
        return ModelRefusedError(message)


@cache
def _opener() -> ThreadPoolExecutor:
    """Returns the one thread that opens models: what each of several leaves behind, no other one can use."""
    return ThreadPoolExecutor(1, thread_name_prefix="open-model")


# A forked process has no such thread, and would wait for it for ever.
os.register_at_fork(after_in_child=_opener.cache_clear)


def _holds(sent: Mapping[str, Json], path: str | None) -> bool:
    """Says whether a body has a value at the end of a path of names; None is a path that is never there."""
    value: Json = dict(sent)
    for name in (path or "nowhere").split("."):
        if not isinstance(value, dict) or name not in value:
            return False
        value = value[name]
    return path is not None


def _counted(answer: Answer, request: Request) -> Usage:
    """Returns the usage, estimated from above when the server did not count."""
    if answer.usage.input_tokens or answer.usage.output_tokens:
        return answer.usage
    return Usage(1, request_at_most(request), at_most(answer.text))


def _retry_after(exchange: Exchange) -> float | None:
    """Returns the seconds that a server asks us to wait: in the header, or where Google puts them."""
    delay = _RETRY_DELAY.search(exchange.complaint)
    return _seconds(exchange.retry_after or (delay[1].decode() if delay else None))


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
