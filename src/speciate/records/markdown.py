"""Quoting texts in Markdown."""

from __future__ import annotations

import re

_BACKTICKS = re.compile(r"`{3,}")


def fence_for(text: str) -> str:
    """Returns the backticks of a fenced block that nothing in the text can close: three or more."""
    longest = max(map(len, _BACKTICKS.findall(text)), default=0) if "```" in text else 0
    return "`" * max(3, 1 + longest)
