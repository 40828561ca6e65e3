"""Questions that a candidate under evaluation puts to a model, told apart from all other calls."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeAlias

from speciate.records.exchange import Reply, Request
from speciate.records.keyed import Keyed

_MARK = "query."


@dataclass(frozen=True, slots=True)
class Query:
    """One question of a candidate.

    Attributes:
        case: the case it is about.
        repeat: number of the repeat, from 0.
        request: what is asked. Its seed differs from one call of a candidate to the next, so no two questions
            about a case are equal.
    """

    case: str
    repeat: int
    request: Request

    @property
    def part(self) -> str:
        """The `part` of the call's events; names it within its candidate by what was asked, not by when."""
        return f"{_MARK}{self.case}.{self.repeat}.{self.request.hash[:16]}"


Ask: TypeAlias = Callable[[Query], Awaitable[Reply]]
"""Answers a question. A model that failed for good gives a reply with `error` set."""


def queried(event: Keyed) -> bool:
    """Whether a model call, asked or replied, was a candidate's own and not one about making candidates."""
    return event.part.startswith(_MARK)
