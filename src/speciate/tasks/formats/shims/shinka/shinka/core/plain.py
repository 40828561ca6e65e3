"""Values of any kind as JSON."""

from __future__ import annotations

import json
from typing import Any

_TEXT = 1000
"""Characters kept of what JSON has no form for."""


def json_plain(value: Any) -> Any:  # Any: whatever a script wants written
    """Returns a value as JSON would read it back: arrays as lists, sets sorted, other objects in words.

    NaN and infinities stay; keys that are no scalars are dropped.
    """
    return json.loads(json.dumps(value, default=_known, skipkeys=True))


def _known(value: Any) -> Any:
    if isinstance(value, set | frozenset):
        return sorted(value, key=repr)
    plain = getattr(value, "tolist", None)  # numpy's scalars and arrays, and others that are like them
    return plain() if callable(plain) else repr(value)[:_TEXT]
