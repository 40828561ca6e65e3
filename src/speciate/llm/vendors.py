"""The companies whose models can be named: where their keys are, and who lists their prices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

EXTRA = "llm"
"""The extra that installs every vendor's library."""


@dataclass(frozen=True, slots=True)
class Vendor:
    """One company's service.

    Attributes:
        kind: what a spec begins with.
        name: what people call it.
        keys: environment variables of which any one holds the key; the first is named when there is none.
        more: further variables that hold something secret, or a name that belongs to a secret.
        address: variable with another address than the vendor's own, or None when it has none.
        packages: modules that have to be importable.
        prices: the vendor's name in the public price list.
        others: variables by which the vendor's own library finds credentials that are not in `keys`.
    """

    kind: str
    name: str
    keys: tuple[str, ...]
    address: str
    packages: tuple[str, ...]
    prices: str
    more: tuple[str, ...] = ()
    others: tuple[str, ...] = ()

    @property
    def credentials(self) -> tuple[str, ...]:
        """Every variable that lets a model be asked."""
        return (*self.keys, *self.more, *self.others)

    @property
    def secrets(self) -> tuple[str, ...]:
        """Every variable whose value must not be shown."""
        return (*self.keys, *self.more)


_VENDORS = (
    Vendor("openai", "OpenAI", ("OPENAI_API_KEY",), "OPENAI_BASE_URL", ("openai",), "openai"),
    Vendor(
        "anthropic", "Anthropic", ("ANTHROPIC_API_KEY",), "ANTHROPIC_BASE_URL", ("anthropic",), "anthropic"
    ),
    Vendor(
        "google",
        "Google Gemini",
        ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
        "GOOGLE_GEMINI_BASE_URL",
        ("google.genai",),
        "google",
    ),
    Vendor("deepseek", "DeepSeek", ("DEEPSEEK_API_KEY",), "DEEPSEEK_BASE_URL", ("openai",), "deepseek"),
    Vendor(
        "openrouter", "OpenRouter", ("OPENROUTER_API_KEY",), "OPENROUTER_BASE_URL", ("openai",), "openrouter"
    ),
    Vendor("azure", "Azure OpenAI", ("AZURE_OPENAI_API_KEY",), "AZURE_OPENAI_ENDPOINT", ("openai",), "azure"),
    Vendor(
        "bedrock",
        "Amazon Bedrock",
        ("AWS_BEARER_TOKEN_BEDROCK", "AWS_ACCESS_KEY_ID"),
        "AWS_ENDPOINT_URL_BEDROCK_RUNTIME",
        ("boto3",),
        "aws",
        more=("AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"),
        others=(
            "AWS_PROFILE",
            "AWS_WEB_IDENTITY_TOKEN_FILE",
            "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
            "AWS_CONTAINER_CREDENTIALS_FULL_URI",
        ),
    ),
)

VENDORS: Mapping[str, Vendor] = {vendor.kind: vendor for vendor in _VENDORS}
"""Every vendor, by the kind of its specs."""

SECRET_NAMES = frozenset(name for vendor in _VENDORS for name in vendor.secrets)
"""Every variable of theirs whose value must not be shown."""
