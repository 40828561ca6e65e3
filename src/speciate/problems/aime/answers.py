"""How an answer is written: an integer from 0 to 999 in a box."""

from __future__ import annotations

import re

_BOX = re.compile(r"\\boxed\s*\{\s*(?:\\text\s*\{\s*)?(\d{1,3})\s*\}")

MOST = 999
"""The largest answer; the least is 0."""


def boxed_all(text: str) -> list[int]:
    r"""Returns the integers from 0 to 999 in ``\boxed{}``, in order; leading zeros do not matter."""
    return [int(digits) for digits in _BOX.findall(text)]


def boxed(text: str) -> int | None:
    """Returns the last of them, or None when there is none."""
    found = boxed_all(text)
    return found[-1] if found else None
