"""The SEARCH/REPLACE notation: reading it from a reply, writing it.

    file: initial.py            (only needed when a program has several files)
    <<<<<<< SEARCH
    old lines
    =======
    new lines
    >>>>>>> REPLACE

The number of arrows may be any from five up. Lines with the count of the opening line take precedence, so
text that itself holds such lines is written with more arrows, as with longer fences in Markdown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from speciate.patches.result import PatchFailure

MAX_BLOCKS = 100
"""More blocks in one reply are refused; whoever changes that much rewrites the file."""

EXPECTED = "<<<<<<< SEARCH\n(lines as they are now)\n=======\n(lines as they should be)\n>>>>>>> REPLACE"

Kind: TypeAlias = Literal["open", "divide", "close"]

_KINDS: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    ("open", re.compile(r"\s*(<{5,})(?:\s*|\s*SEARCH\b.*)\Z", re.IGNORECASE)),
    ("divide", re.compile(r"\s*(={5,})\s*\Z")),
    ("close", re.compile(r"\s*(>{5,})(?:\s*|\s*REPLACE\b.*)\Z", re.IGNORECASE)),
)
_FILE = re.compile(
    r"\W*(?:file|filename|path)\s*:[\s`\"'*]*([\w./ -]*\w)[\s`\"'*]*(?:-->|\*/)?\s*\Z", re.IGNORECASE
)
_FENCE = re.compile(r"\s*(?:`{3,}|~{3,})")
_LOOK_BACK = 4

LONGEST_NAME = 300
"""Lines and info strings longer than this name no file; they would only slow the patterns down."""


@dataclass(frozen=True, slots=True)
class Block:
    """One replacement.

    Attributes:
        search: lines to be found, without line ends.
        replace: lines to stand there instead.
        file: the file named before it, or None.
    """

    search: tuple[str, ...]
    replace: tuple[str, ...]
    file: str | None = None


@dataclass(frozen=True, slots=True)
class _Mark:
    """A delimiter line: its kind, how many arrows it has, its index in the reply."""

    kind: Kind
    count: int
    index: int


def _mark(index: int, line: str) -> _Mark | None:
    if "<<<<<" not in line and "=====" not in line and ">>>>>" not in line:
        return None
    for kind, pattern in _KINDS:
        if match := pattern.match(line):
            return _Mark(kind, len(match[1]), index)
    return None


def parse_blocks(reply: str) -> tuple[Block, ...] | PatchFailure:
    """Reads all blocks of a reply, in order; whatever stands around them is ignored."""
    lines = [line.removesuffix("\r") for line in reply.split("\n")]
    marks = [mark for index, line in enumerate(lines) if (mark := _mark(index, line))]
    blocks: list[Block] = []
    file: str | None = None
    at, after = 0, 0
    while at < len(marks):
        if marks[at].kind != "open":
            at += 1
            continue
        if len(blocks) == MAX_BLOCKS:
            return PatchFailure("too_large", f"more than {MAX_BLOCKS} blocks; send fewer or a full rewrite")
        found = _ends(marks, at)
        if isinstance(found, str):
            return PatchFailure("malformed", f"SEARCH block {len(blocks) + 1} {found}. Write:\n{EXPECTED}")
        divider, closer = found
        file = file_above(lines, marks[at].index, after) or file
        search = lines[marks[at].index + 1 : marks[divider].index]
        replace = lines[marks[divider].index + 1 : marks[closer].index]
        blocks.append(Block(tuple(search), tuple(replace), file))
        at, after = closer + 1, marks[closer].index + 1
    return tuple(blocks) or PatchFailure("no_patch", f"the reply has no SEARCH block. Write:\n{EXPECTED}")


def _ends(marks: Sequence[_Mark], at: int) -> tuple[int, int] | str:
    """Returns the indices of the divider and the closer of the block opened at `at`, or what is missing."""
    count = marks[at].count
    closer = _first(marks, at + 1, "close", count) or _first(marks, at + 1, "close", None)
    if closer is None:
        return "has no >>>>>>> REPLACE line (was the reply cut off?)"
    inside = range(at + 1, closer)
    dividers = [i for i in inside if marks[i].kind == "divide"]
    if not dividers:
        return "has no ======= line between the old and the new text"
    return next((i for i in dividers if marks[i].count == count), dividers[0]), closer


def _first(marks: Sequence[_Mark], start: int, kind: Kind, count: int | None) -> int | None:
    """Finds the first mark of a kind and count (None for any) before another block of that count opens."""
    for index in range(start, len(marks)):
        mark = marks[index]
        if count is None or mark.count == count:
            if mark.kind == kind:
                return index
            if mark.kind == "open":
                return None
    return None


def file_above(lines: Sequence[str], index: int, stop: int) -> str | None:
    """Returns the file named in the few lines above `index` (not before `stop`), or None."""
    for line in reversed(lines[max(stop, index - _LOOK_BACK) : index]):
        if not line.strip() or _FENCE.match(line):
            continue
        return file_named(line)
    return None


def file_named(line: str) -> str | None:
    """Returns the file that a line like ``# file: name`` names, or None."""
    match = _FILE.match(line) if len(line) <= LONGEST_NAME else None
    return match[1].strip() if match else None


def resolve_file(named: str, known: Sequence[str]) -> str | None:
    """Returns the file of a program that a reply means by `named`, or None when it is unclear.

    A program with a single file has no other to mean. Otherwise the name, or its last part, must fit one.
    """
    if named in known:
        return named
    if len(known) == 1:
        return known[0]
    fitting = [name for name in known if name.rsplit("/", 1)[-1] == named.rsplit("/", 1)[-1]]
    return fitting[0] if len(fitting) == 1 else None


def write_block(block: Block, arrows: int = 7) -> str:
    """Returns a block in the notation, ending with a line end."""
    head = [f"file: {block.file}"] if block.file else []
    lines = [*head, "<" * arrows + " SEARCH", *block.search, "=" * arrows, *block.replace]
    return "".join(line + "\n" for line in [*lines, ">" * arrows + " REPLACE"])


def arrows_for(lines: Iterable[str]) -> int:
    """Returns how many arrows keep blocks of these lines apart from the lines themselves; at least 7."""
    return max([7, *(mark.count + 1 for line in lines if (mark := _mark(0, line)))])
