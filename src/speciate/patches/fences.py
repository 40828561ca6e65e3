"""Finds the fenced blocks of a reply."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from speciate.patches.blocks import LONGEST_NAME, file_above, file_named

_OPEN = re.compile(r"([ \t]*(?:[-*>] )?[ \t]*)(`{3,}|~{3,})([^`]*)\Z")
_NAME = re.compile(
    r"(?:file|filename|path|title)\s*[=:]\s*[\"']?([\w./-]+)|([\w./-]+\.[A-Za-z]\w*)\s*\Z", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Fence:
    r"""A fenced block.

    Attributes:
        text: what it holds; lines end with ``\n``.
        file: the file named in its info string, above it or in its first line, or None.
    """

    text: str
    file: str | None = None


@dataclass(frozen=True, slots=True)
class _Opening:
    index: int
    indent: str
    ticks: str
    info: str


def fences(reply: str) -> tuple[Fence, ...]:
    """Returns all fenced blocks of a reply in order; the last one may lack its closing line."""
    lines = [line.removesuffix("\r") for line in reply.split("\n")]
    found: list[Fence] = []
    index = after = 0
    while index < len(lines):
        opening = _opening(index, lines[index])
        if opening is None:
            index += 1
            continue
        stop = next((i for i in range(index + 1, len(lines)) if _closes(lines[i], opening)), len(lines))
        found.append(_fence(lines, opening, stop, after))
        index = after = stop + 1
    return tuple(found)


def widest_fence(reply: str) -> Fence | None:
    """Returns what lies between the first opening and the last closing line, or None.

    Programs that hold fences themselves (Markdown, documentation) look like several blocks otherwise.
    """
    lines = [line.removesuffix("\r") for line in reply.split("\n")]
    opening = next((o for i, line in enumerate(lines) if (o := _opening(i, line))), None)
    if opening is None:
        return None
    closing = (i for i in range(len(lines) - 1, opening.index, -1) if _closes(lines[i], opening))
    stop = next(closing, None)
    return None if stop is None else _fence(lines, opening, stop, 0)


def _opening(index: int, line: str) -> _Opening | None:
    if "```" not in line and "~~~" not in line:
        return None
    match = _OPEN.match(line)
    return _Opening(index, match[1], match[2], match[3].strip()) if match else None


def _closes(line: str, opening: _Opening) -> bool:
    bare = line.strip()
    return len(bare) >= len(opening.ticks) and not bare.strip(opening.ticks[0])


def _fence(lines: Sequence[str], opening: _Opening, stop: int, after: int) -> Fence:
    inner = list(_dedented(lines[opening.index + 1 : stop], opening.indent))
    if stop == len(lines) and inner and not inner[-1]:
        inner.pop()  # what follows the last line end of a block that is never closed is no line
    file = _named_by_info(opening.info) or file_above(lines, opening.index, after)
    if file is None and inner and not inner[0][:1].isalnum() and (file := file_named(inner[0])):
        del inner[0]  # a comment that is there to name the file
    return Fence("".join(line + "\n" for line in inner), file)


def _dedented(lines: Sequence[str], indent: str) -> Iterator[str]:
    """Yields the lines of a block without the indentation of its fence, if all have it."""
    width = len(indent)
    if width and all(not line[:width].strip() for line in lines):
        yield from (line[width:] for line in lines)
    else:
        yield from lines


def _named_by_info(info: str) -> str | None:
    match = _NAME.search(info) if len(info) <= LONGEST_NAME else None
    return (match[1] or match[2]) if match else None
