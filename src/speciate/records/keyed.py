"""What identifies an event within a history."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from speciate.records.types import Ordinal

Key: TypeAlias = tuple[Ordinal, int, str, str]
"""(ordinal, attempt, step, part): identity of an event within a history."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Keyed:
    """Base of every event: its key, but for the step."""

    ordinal: Ordinal
    attempt: int = 0
    part: str = ""
