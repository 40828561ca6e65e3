"""In which company a score was reached."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Company:
    """Against whom a score was reached.

    Attributes:
        epoch: the epoch.
        hash: of its context.
    """

    epoch: int
    hash: str
