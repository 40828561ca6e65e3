"""What every event has: its key."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from speciate.records.types import Ordinal, TextHash

Key: TypeAlias = tuple[Ordinal, int, str, str]
"""(ordinal, attempt, step, part): identity of an event within a history."""


@dataclass(frozen=True, slots=True)
class TextRef:
    """Stands for a text that is stored once under its content hash."""

    text: TextHash


@dataclass(frozen=True, slots=True, kw_only=True)
class Keyed:
    """Fields of every event: its key, but for the step."""

    ordinal: Ordinal
    attempt: int = 0
    part: str = ""
