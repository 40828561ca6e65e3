"""Keys out of texts."""

from __future__ import annotations

import os
import re

_SECRET_NAME = re.compile(r"(^|_)(API_?KEY|KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)$", re.IGNORECASE)
_LOOKS_LIKE_A_KEY = re.compile(
    r"\b(?:sk|pk|rk|gsk|xai|hf)[-_][A-Za-z0-9_-]{16,}|\bAIza[A-Za-z0-9_-]{30,}|(?<=Bearer )[^\s\"']{8,}"
)
_SHORTEST = 8  # a shorter value is no key, and its letters may stand anywhere
_MARK = "[redacted]"


def redact(text: str, *more: str) -> str:
    """Returns the text without secrets.

    Secrets are the values of environment variables that are named like keys, whatever looks like a key, and
    `more`.
    """
    for value in filter(None, more):
        text = text.replace(value, _MARK)
    for name, value in os.environ.items():
        if len(value) >= _SHORTEST and _SECRET_NAME.search(name):
            text = text.replace(value, _MARK)
    return _LOOKS_LIKE_A_KEY.sub(_MARK, text)
