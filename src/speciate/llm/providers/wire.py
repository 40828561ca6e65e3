"""What really goes over the wire, and how much may come back.

Imports httpx2, so it is itself imported only when the first request is sent.
"""

from __future__ import annotations

import json
import ssl
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache
from ipaddress import ip_address
from typing import cast
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import httpx2

from speciate.records import Json

_CONNECT_SECONDS = 15.0
_COMPLAINT_BYTES = 4096
_NOT_SETTINGS = frozenset(
    {
        *("messages", "prompt", "model", "stream", "n"),  # OpenAI's chat and completions
        *("input", "instructions", "include", "store"),  # OpenAI's responses
        *("system", "contents", "systemInstruction"),  # Anthropic, Bedrock, Google
    }
)
"""What a body holds besides settings, in every vendor's language."""


@dataclass(slots=True)
class Exchange:
    """One request and what became of it, as the transport saw it.

    Attributes:
        sent: whether a request went out, or was about to.
        settings: its JSON body without what was said, which is long and held by the caller.
        status: the response's status, or None when no response began.
        retry_after: the response's header of that name, or None.
        complaint: the beginning of an error's body.
        too_large: whether reading stopped because the response was too long.
    """

    sent: bool = False
    settings: dict[str, Json] = field(default_factory=dict)
    status: int | None = None
    retry_after: str | None = None
    complaint: bytes = b""
    too_large: bool = False


_current: ContextVar[Exchange] = ContextVar("exchange")


@contextmanager
def watched() -> Iterator[Exchange]:
    """Gives the record of the one request that is sent within this block, by this task."""
    exchange = Exchange()
    token = _current.set(exchange)
    try:
        yield exchange
    finally:
        _current.reset(token)


class _Bounded(httpx2.AsyncByteStream):
    """A response body that stops after `limit` bytes."""

    def __init__(self, stream: httpx2.AsyncByteStream, limit: int, exchange: Exchange) -> None:
        self._stream, self._limit, self._exchange = stream, limit, exchange

    async def __aiter__(self) -> AsyncIterator[bytes]:
        read = 0
        async for chunk in self._stream:
            read += len(chunk)
            if self._exchange.status is not None and self._exchange.status >= 400:
                self._exchange.complaint += chunk[: _COMPLAINT_BYTES - len(self._exchange.complaint)]
            if read > self._limit:
                self._exchange.too_large = True
                raise httpx2.ReadError(f"the reply is longer than {self._limit} bytes")
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()


class Wire(httpx2.AsyncBaseTransport):
    """Notes each request in the current `Exchange` and bounds its response."""

    def __init__(self, inner: httpx2.AsyncBaseTransport, limit: int) -> None:
        """Wraps a transport; `limit` is in bytes."""
        self._inner, self._limit = inner, limit

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Sends one request."""
        exchange = _current.get()
        # A small compressed body may unpack to any size, so only plain ones are asked for and taken.
        request.headers["accept-encoding"] = "identity"
        body = json.loads(await request.aread())
        exchange.settings = {name: value for name, value in body.items() if name not in _NOT_SETTINGS}
        exchange.sent = True
        response = await self._inner.handle_async_request(request)
        exchange.status = response.status_code
        exchange.retry_after = response.headers.get("retry-after")
        if response.headers.get("content-encoding", "identity") != "identity":
            await response.aclose()
            raise httpx2.DecodingError("the server sent a compressed reply that was not asked for")
        # The transport contract: an async transport's response carries an async stream.
        stream = cast(httpx2.AsyncByteStream, response.stream)
        response.stream = _Bounded(stream, self._limit, exchange)
        return response

    async def aclose(self) -> None:
        """Closes the connections."""
        await self._inner.aclose()


def http_client(url: str, *, timeout: float, limit: int) -> httpx2.AsyncClient:
    """Returns a client whose every request is watched.

    Args:
        url: the server's address; decides whether a proxy from the environment is used.
        timeout: most seconds without any sign of life from the server.
        limit: most bytes of one response.
    """
    # Calls in flight are bounded by the pool, so the connections need no second bound.
    limits = httpx2.Limits(max_connections=None, max_keepalive_connections=64)
    inner = httpx2.AsyncHTTPTransport(verify=_tls(), limits=limits, proxy=_proxy(url))
    return httpx2.AsyncClient(
        transport=Wire(inner, limit),
        timeout=httpx2.Timeout(timeout, connect=min(timeout, _CONNECT_SECONDS)),
        follow_redirects=False,  # a redirect could carry the key to another host
    )


@cache
def _tls() -> ssl.SSLContext:
    """Returns the one TLS context of all models: each of its own would hold all root certificates again."""
    return httpx2.create_ssl_context()


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _proxy(url: str) -> str | None:
    parts = urlsplit(url)
    if parts.hostname is None or _is_loopback(parts.hostname) or proxy_bypass(parts.hostname):
        return None
    return getproxies().get(parts.scheme)
