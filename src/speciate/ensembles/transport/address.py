"""Where a broker is and how one gets in. Secrets are kept apart, and shown nowhere."""

from __future__ import annotations

import os
import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import SplitResult, unquote, urlsplit

from speciate.errors import ConfigError

TOKEN: Final = "NATS_TOKEN"  # noqa: S105  # the names of variables
USER: Final = "NATS_USER"
PASSWORD: Final = "NATS_PASSWORD"  # noqa: S105  # as above
AUTHORITY: Final = "NATS_CA"
CERTIFICATE: Final = "NATS_CERT"
KEY: Final = "NATS_KEY"
PORT: Final = 4222

_EXAMPLE = "for example nats://127.0.0.1:4222 or tls://broker.example.org:4222"


@dataclass(frozen=True, slots=True)
class Address:
    """A broker, and the secrets that open it.

    Attributes:
        url: scheme, host and port: all that may be written down.
        encrypted: whether nothing is said before the connection is encrypted.
        token: the broker's token, or None.
        user: a user's name, or None.
        password: the user's password, or None.
        authority: a file of certificates that signed the broker's, or None for those the system trusts.
        certificate: a file with this node's own certificate, or None.
        key: the file with that certificate's key, or None if it is in the same file.
    """

    url: str
    encrypted: bool
    token: str | None = field(default=None, repr=False)
    user: str | None = None
    password: str | None = field(default=None, repr=False)
    authority: str | None = None
    certificate: str | None = None
    key: str | None = None

    @property
    def secrets(self) -> tuple[str, ...]:
        """What must never be shown."""
        return tuple(secret for secret in (self.token, self.password) if secret)

    def tls(self) -> ssl.SSLContext:
        """Returns how connections are encrypted; a broker without a certificate that we trust is refused.

        Raises:
            ConfigError: a file of certificates cannot be read.
        """
        try:
            context = ssl.create_default_context(cafile=self.authority)
            if self.certificate:
                context.load_cert_chain(self.certificate, self.key)
        except (OSError, ssl.SSLError) as error:
            raise ConfigError(f"{AUTHORITY}, {CERTIFICATE} or {KEY} names no usable file: {error}") from error
        return context


def read_address(url: str, environment: Mapping[str, str] | None = None) -> Address:
    """Reads a broker's URL; secrets that it lacks are taken from the environment.

    Args:
        url: ``nats://`` or ``tls://``, host and port; with ``TOKEN@`` or ``USER:PASSWORD@`` before the host
            if one must.
        environment: variables by name; None for this process's.

    Raises:
        ConfigError: it is no such URL. The message does not repeat what may be a secret.
    """
    values = os.environ if environment is None else environment
    parts = _split(url)
    user, password, token = _identity(parts, values)
    return Address(
        url=f"{parts.scheme}://{_host(parts)}:{parts.port or PORT}",
        encrypted=parts.scheme == "tls",
        token=token,
        user=user,
        password=password,
        authority=values.get(AUTHORITY) or None,
        certificate=values.get(CERTIFICATE) or None,
        key=values.get(KEY) or None,
    )


def _split(url: str) -> SplitResult:
    try:
        parts = urlsplit(url.strip())
        port = parts.port
    except ValueError:
        raise ConfigError(f"the transport is no URL that can be understood: {_EXAMPLE}") from None
    if parts.scheme not in ("nats", "tls"):
        raise ConfigError(f"the transport's URL begins with nats:// or tls://: {_EXAMPLE}")
    if not parts.hostname or port == 0 or parts.path.strip("/") or parts.query or parts.fragment:
        raise ConfigError(f"the transport's URL is scheme, host and port, and nothing after them: {_EXAMPLE}")
    return parts


def _host(parts: SplitResult) -> str:
    host = parts.hostname or ""
    return f"[{host}]" if ":" in host else host


def _identity(parts: SplitResult, values: Mapping[str, str]) -> tuple[str | None, str | None, str | None]:
    """Returns user, password and token; what stands in the URL goes before the environment's."""
    if parts.username and parts.password:
        return unquote(parts.username), unquote(parts.password), None
    if parts.username:
        return None, None, unquote(parts.username)
    if values.get(USER):
        return values[USER], values.get(PASSWORD, ""), None
    return None, None, values.get(TOKEN) or None
