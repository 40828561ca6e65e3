"""Times, counts and foreign text as a terminal shows them; numbers and money are worded in `reports`."""

from __future__ import annotations

import re
from typing import Final

_UNSEEN: Final = re.compile("(?!\r\n)[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Characters that move a terminal's cursor, change its state or the order of what is read."""


def visible(text: str) -> str:
    """Returns what candidates and models wrote so that a terminal shows it, and obeys none of it."""
    return _UNSEEN.sub(lambda found: ascii(found[0])[1:-1], text)


def clock_time(seconds: float) -> str:
    """Returns a duration as minutes:seconds or hours:minutes:seconds."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def tally_words(counts: dict[str, int]) -> str:
    """Returns counts by name as ``3 (syntax 2, exit 1)``."""
    total = sum(counts.values())
    listed = ", ".join(f"{name} {count}" for name, count in sorted(counts.items()))
    return f"{total} ({listed})" if listed else str(total)
