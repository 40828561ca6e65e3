"""Keys out of texts."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from speciate.errors import ConfigError
from speciate.llm.credentials import DOTENV
from speciate.llm.dotenv import read_dotenv
from speciate.llm.vendors import SECRET_NAMES

_SECRET_NAME = re.compile(r"(^|_)(API_?KEY|KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)$", re.IGNORECASE)
_LOOKS_LIKE_A_KEY = re.compile(
    r"\b(?:sk|pk|rk|gsk|xai|hf)[-_][A-Za-z0-9_-]{16,}|\bAIza[A-Za-z0-9_-]{30,}"
    r"|\b(?:AKIA|ASIA)[A-Z0-9]{16}\b|(?<=Bearer )[^\s\"']{8,}"
)
_SHORTEST = 8  # a shorter value is no key, and its letters may stand anywhere
_MARK = "[redacted]"


def redact(text: str, *more: str) -> str:
    """Returns the text without secrets.

    Secrets are the values of variables that are named like keys, in the environment and in ``.env``, whatever
    looks like a key, and `more`.
    """
    return _LOOKS_LIKE_A_KEY.sub(_MARK, without(without(text, *more), *_named_like_keys()))


def without(text: str, *secrets: str) -> str:
    """Returns the text without these secrets, the longer ones first, since one may hold another."""
    for secret in sorted(filter(None, secrets), key=len, reverse=True):
        text = text.replace(secret, _MARK)
    return text


def _named_like_keys() -> Iterator[str]:
    try:
        written = read_dotenv(Path(DOTENV))
    except ConfigError:  # then nothing was read from it either; whoever needs a key is told
        written = {}
    for name, value in chain(os.environ.items(), written.items()):
        if len(value.strip()) >= _SHORTEST and (name in SECRET_NAMES or _SECRET_NAME.search(name)):
            yield value.strip()
