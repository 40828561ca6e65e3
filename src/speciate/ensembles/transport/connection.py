"""Connecting to a NATS broker, and what its client's library raises in words of our own."""

from __future__ import annotations

import asyncio
import json
import ssl
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import TYPE_CHECKING, Final

from speciate.ensembles.transport.address import PASSWORD, TOKEN, USER, Address
from speciate.errors import ConfigError, MissingExtraError
from speciate.records import Seconds

if TYPE_CHECKING:
    from nats.aio.client import Client

CLOSING: Final[Seconds] = 1.0
"""A connection that does not close for so long is left to itself."""


class LinkError(Exception):
    """The broker is not there, does not answer or cannot do it now."""


@asynccontextmanager
async def connected(address: Address, who: str) -> AsyncIterator[tuple[Client, asyncio.Event]]:
    """Connects to a broker for as long as the block lasts.

    Nothing reconnects behind our back: whoever connects anew asks anew for the name and what the log lacks.

    Args:
        address: the broker.
        who: is shown in its lists of connections.

    Yields:
        The library's client, and an event that says that the connection broke.

    Raises:
        ConfigError: the broker does not let us in, or is none we may trust.
        LinkError: it is not there.
    """
    from nats.aio.client import Client as NatsClient

    lost = asyncio.Event()

    async def on_loss() -> None:
        lost.set()

    connecting = True

    async def on_error(error: Exception) -> None:
        # The library would try to connect for minutes without a word. Errors after that are raised where
        # something comes of them.
        if connecting:
            raise error

    client = NatsClient()
    guard = _Guard(address, client)
    try:
        with translated():
            await client.connect(
                address.url,
                name=who,
                token=guard.token if address.token else None,
                user=guard.user if address.user else None,
                password=guard.password if address.user else None,
                tls=address.tls() if address.encrypted or address.authority else None,
                allow_reconnect=False,
                connect_timeout=2,
                ping_interval=5,
                max_outstanding_pings=2,
                disconnected_cb=on_loss,
                closed_cb=on_loss,
                error_cb=on_error,
            )
        connecting = False
        guard.check()
        yield client, lost
    finally:
        with suppress(TimeoutError, OSError):  # after a failed handshake it would wait for ever
            async with asyncio.timeout(CLOSING):
                await client.close()


class _Guard:
    """Gives secrets away on encrypted connections alone, where that was asked for.

    The client's library asks for TLS only if the broker does; so whoever sits in between could get the token
    by not asking. It has no public word for what the broker said.
    """

    def __init__(self, address: Address, client: Client) -> None:
        self._address = address
        self._client = client

    def check(self) -> None:
        if self._address.encrypted and not self._client._server_info.get("tls_required"):
            raise ConfigError(f"{self._address.url} offers no encryption: nothing was said to it")

    def token(self) -> str:
        self.check()
        return self._address.token or ""

    def user(self) -> str:
        self.check()
        return self._address.user or ""

    def password(self) -> str:
        self.check()
        return self._address.password or ""


@contextmanager
def translated() -> Iterator[None]:
    """Lets errors of the client's library end here.

    Raises:
        LinkError: in place of one after which a new connection is worth a try.
        ConfigError: in place of one after which none is.
    """
    from nats import errors

    try:
        yield
    except ssl.SSLCertVerificationError as error:
        raise ConfigError(f"the broker's certificate is not trusted: {error.verify_message}") from None
    except (errors.SecureConnRequiredError, errors.SecureConnWantedError, errors.AuthorizationError):
        raise ConfigError(_not_let_in()) from None
    except errors.Error as error:
        if "authorization violation" in str(error).lower():
            raise ConfigError(_not_let_in()) from None
        raise LinkError(str(error).removeprefix("nats: ") or type(error).__name__) from None
    except (OSError, TimeoutError, EOFError, json.JSONDecodeError) as error:
        raise LinkError(str(error) or type(error).__name__) from None


def _not_let_in() -> str:
    return f"the broker does not let this node in: set {TOKEN}, or {USER} and {PASSWORD}"


def check_library() -> None:
    """Raises MissingExtraError if the client's library is not here."""
    try:
        import nats  # noqa: F401  # only to know
    except ImportError:
        raise MissingExtraError("exchanging champions over NATS", "nats") from None
