"""What the two JSON files of an evaluation cannot say, kept for the adapter in the same process."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(slots=True)
class Notes:
    """What happened in `run_shinka_eval`.

    Attributes:
        raised: what ended the evaluation, or None.
        extra: the extra data, as they were given. Any: whatever the script wants kept.
    """

    raised: BaseException | None = None
    extra: Any = None


NOTES = Notes()
"""The notes of this process, on the last evaluation that its script made."""
