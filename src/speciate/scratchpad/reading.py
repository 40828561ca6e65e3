"""Reads what the keeper of the scratchpad answered. What makes no sense is said, never guessed."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from speciate.records import NoteKind, Ordinal, Reply
from speciate.reflection import UnreadableError, tidy, whole_lines

_NUMBERED = re.compile(r"^[\s*#>-]*(?:program\s+)?(\d+)[\s*]*[:.)][\s*]*(\S.*)$", re.IGNORECASE)
_BULLET = re.compile(r"^\s*(?:[-*•]|\d+[.)])\s+(\S.*)$")
_CONTRADICTS = re.compile(r"\s*\(contradicts\s+(?:recommendation\s+)?#?(\d+)\)\s*\.?\s*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Advice:
    """One recommendation as it was answered.

    Attributes:
        text: what it says.
        contradicts: number of the standing recommendation it contradicts by its own account, or None.
    """

    text: str
    contradicts: int | None = None


def read_summaries(reply: Reply, ordinals: Collection[Ordinal]) -> tuple[tuple[Ordinal, str], ...]:
    """Returns summaries by ordinal, each ordinal at most once, in the order of `ordinals`.

    Raises:
        UnreadableError: there is not a single one.
    """
    found: dict[Ordinal, str] = {}
    for line in whole_lines(reply, "summaries"):
        match = _NUMBERED.match(line)
        if match and int(match[1]) in ordinals:
            found.setdefault(int(match[1]), tidy(match[2]))
    if not found:
        raise UnreadableError("no line of the form NUMBER: text about one of the programs")
    return tuple((ordinal, found[ordinal]) for ordinal in ordinals if ordinal in found)


def read_insights(reply: Reply, *, most: int) -> tuple[str, ...]:
    """Returns the lines of insights, at most so many.

    Raises:
        UnreadableError: there is none.
    """
    return _bullets(reply, "insights")[:most]


def read_recommendations(reply: Reply, standing: Collection[int]) -> tuple[Advice, ...]:
    """Returns all recommendations, the most promising first.

    Args:
        reply: the reply.
        standing: numbers of the standing ones; a contradiction of any other is none.

    Raises:
        UnreadableError: there is none.
    """
    read: list[Advice] = []
    for line in _bullets(reply, "recommendations"):
        match = _CONTRADICTS.search(line)
        text = line[: match.start()] if match else line
        number = int(match[1]) if match and int(match[1]) in standing else None
        if text and all(text != one.text for one in read):
            read.append(Advice(text, number))
    if not read:
        raise UnreadableError("no recommendation in it")
    return tuple(read)


def _bullets(reply: Reply, kind: NoteKind) -> tuple[str, ...]:
    found = [tidy(match[1]) for line in whole_lines(reply, kind) if (match := _BULLET.match(line))]
    if not found:
        raise UnreadableError('no line that begins with "- "')
    return tuple(found)
