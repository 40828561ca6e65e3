"""EVOLVE-BLOCK regions: which text of a program may change.

A region lies between two marker lines. A marker line is a comment of its own, at any indentation:

    # EVOLVE-BLOCK-START  (anything may follow)
    ...
    # EVOLVE-BLOCK-END

Marker lines themselves never change. Lines end with ``\\n`` and with nothing else, so every other
control character survives. A line is judged by itself: one that looks like a marker is a marker, inside
a string literal too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias

from speciate.errors import TaskError
from speciate.records import Program
from speciate.tasks.definition import TaskSpec
from speciate.tasks.languages import Language, language, language_of

START = "EVOLVE-BLOCK-START"
END = "EVOLVE-BLOCK-END"

Mutable: TypeAlias = Literal["regions", "whole"]
"""What may change of a file: the regions between markers, or all of it."""

_STEM = "EVOLVE-BLOCK-"


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of whole lines. `mutable` says whether it may change."""

    text: str
    mutable: bool


@dataclass(frozen=True, slots=True)
class FileSegments:
    """The segments of one file of a program."""

    name: str
    language: Language
    segments: tuple[Segment, ...]


@dataclass(frozen=True, slots=True)
class Marker:
    """A marker line: where it starts and ends in the text (with its line end), its number from 1."""

    kind: Literal["START", "END"]
    start: int
    end: int
    line: int


@lru_cache(maxsize=64)
def _patterns(spoken: Language) -> tuple[re.Pattern[str], ...]:
    """Returns what a marker line of the language looks like, one pattern a comment style."""
    name = rf"[^\w\n]*?{_STEM}(START|END)(?![\w-])"
    # Where a block comment opens with a line comment's letters (Lua's --[[), an unclosed one is no marker.
    opens_block = "".join(rf"(?!{re.escape(opening)})" for opening, _ in spoken.block)
    lines = [rf"[\s\ufeff]*{opens_block}{re.escape(opening)}{name}" for opening in spoken.line]
    blocks = [
        rf"[\s\ufeff]*{re.escape(opening)}{name}(?:(?!{re.escape(closing)}).)*{re.escape(closing)}\s*\Z"
        for opening, closing in spoken.block
    ]
    return tuple(re.compile(pattern) for pattern in lines + blocks)


def markers(text: str, spoken: Language) -> Iterator[Marker]:
    """Yields the marker lines of a text in order. They may be malformed; `segments` judges that."""
    position, line = 0, 1
    while (hit := text.find(_STEM, position)) >= 0:
        start = text.rfind("\n", 0, hit) + 1
        end = text.find("\n", hit) + 1 or len(text)
        line += text.count("\n", position, start)
        for pattern in _patterns(spoken):
            if match := pattern.match(text[start:end].rstrip("\r\n")):
                yield Marker("START" if match[1] == "START" else "END", start, end, line)
                break
        line += text.count("\n", start, end)
        position = end


@lru_cache(maxsize=32)
def segments(
    text: str, spoken: Language | str, *, mutable: Mutable = "regions", name: str = "program"
) -> tuple[Segment, ...]:
    """Cuts a file into segments. Their texts joined are the text, byte for byte.

    The last answers are kept: a candidate's parent is cut when its patch is applied and at every check.

    Args:
        text: the file's text.
        spoken: its language, or the language's name.
        mutable: ``"whole"`` gives one mutable segment.
        name: the file's name, for messages.

    Returns:
        Immutable and mutable segments in turn, starting and ending with an immutable one; a region's
        segment is there even if it is empty. A text without markers is a single immutable segment.

    Raises:
        TaskError: markers are nested, unclosed or in the wrong order; the message names the line and
            what to write.
    """
    if mutable == "whole":
        return (Segment(text, True),)
    spoken = language(spoken) if isinstance(spoken, str) else spoken
    cut: list[Segment] = []
    position = 0
    opened: Marker | None = None
    for marker in markers(text, spoken):
        if (marker.kind == "END") != (opened is not None):
            raise TaskError(_misplaced(marker, opened, spoken, name))
        edge = marker.end if marker.kind == "START" else marker.start
        cut.append(Segment(text[position:edge], mutable=marker.kind == "END"))
        position, opened = edge, marker if marker.kind == "START" else None
    if opened is not None:
        raise TaskError(
            f"{name}, line {opened.line}: the region opened here is never closed; "
            f"write {spoken.comment(END)!r} on a line of its own after it"
        )
    return (*cut, Segment(text[position:], False))


def _misplaced(marker: Marker, opened: Marker | None, spoken: Language, name: str) -> str:
    """Says what is wrong with a marker that does not follow from the one before it."""
    if opened is not None:
        return (
            f"{name}, line {marker.line}: a region starts inside the one opened in line {opened.line}; "
            f"write {spoken.comment(END)!r} before it (regions cannot be nested)"
        )
    return (
        f"{name}, line {marker.line}: {END} without a start; "
        f"write {spoken.comment(START)!r} on a line of its own before it, or take this line out"
    )


def program_segments(program: Program, spec: TaskSpec) -> tuple[FileSegments, ...]:
    """Cuts every file of a program, in file order. Files without markers are immutable as a whole.

    Raises:
        TaskError: markers are malformed, or nothing at all may change.
    """
    files = tuple(
        FileSegments(
            name,
            spoken := file_language(name, spec),
            segments(text, spoken, mutable=spec.program.mutable, name=name),
        )
        for name, text in program.files
    )
    if not any(segment.mutable for file in files for segment in file.segments):
        raise TaskError(_nothing_mutable(program, files[0].language))
    return files


def file_language(name: str, spec: TaskSpec) -> Language:
    """Returns the language of a program's file: the task's own for the entry file, else by suffix."""
    own = language(spec.language)
    return own if name == spec.program.files[0] else language_of(name) or own


def _nothing_mutable(program: Program, spoken: Language) -> str:
    whole = 'set mutable = "whole" under [program]'
    start, end = spoken.comment(START), spoken.comment(END)
    if start is None:
        return f"{program.entry}: {spoken.name} has no comments that could be markers; {whole}"
    advice = f"put the lines {start!r} and {end!r} around what may change, or {whole}"
    for name, text in program.files:
        if (hit := text.find(_STEM)) >= 0:
            place = f"{name}, line {text.count(chr(10), 0, hit) + 1}"
            return f"{place}: a marker has to be a comment on a line of its own; {advice}"
    return f"{program.entry} has no EVOLVE-BLOCK markers; {advice}"


def mutable_text(parts: Sequence[Segment]) -> tuple[str, ...]:
    """Returns the text of each region, in order."""
    return tuple(part.text for part in parts if part.mutable)


def replace_mutable(parts: Sequence[Segment], texts: Sequence[str]) -> str:
    """Returns the file's text with each region replaced, immutable text as it was.

    A region followed by a marker line gets a line end if it lacks one, so that the marker stays a line
    of its own.

    Args:
        parts: the file's segments.
        texts: the new text of each region, in order.

    Raises:
        ValueError: the number of texts is not the number of regions.
    """
    if len(texts) != sum(part.mutable for part in parts):
        raise ValueError(f"{len(texts)} texts for {sum(part.mutable for part in parts)} regions")
    ending = "\r\n" if any("\r\n" in part.text for part in parts) else "\n"
    fresh = iter(texts)
    out: list[str] = []
    for index, part in enumerate(parts):
        text = next(fresh) if part.mutable else part.text
        last = index == len(parts) - 1
        out.append(text + ending if part.mutable and text and not last and not text.endswith("\n") else text)
    return "".join(out)


def marker_lines(text: str, spoken: Language | str) -> tuple[int, ...]:
    """Returns the numbers (from 1) of the lines of a text that are markers."""
    spoken = language(spoken) if isinstance(spoken, str) else spoken
    return tuple(marker.line for marker in markers(text, spoken))
