"""Where the lines of a block are in a file: exactly, but for white space, within a line."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from speciate.patches.blocks import Block
from speciate.patches.indent import carry_over, uniform_shift
from speciate.patches.markers import Document

MAX_PLACES = 50
"""Matches beyond this many are not looked for; the block is ambiguous anyway."""


@dataclass(frozen=True, slots=True)
class Place:
    """Lines [start, stop) of a document, and the lines that would stand there instead."""

    document: Document
    start: int
    stop: int
    new: tuple[str, ...]

    @property
    def mutable(self) -> bool:
        """Whether all of it may change."""
        return self.document.mutable(self.start, self.stop)

    def text(self) -> str:
        """Returns the file's text with the replacement made."""
        return self.document.splice(self.start, self.stop, self.new)


Stage: TypeAlias = Callable[[Document, Block], list[Place]]


def exact(document: Document, block: Block) -> list[Place]:
    """Finds the lines as they are quoted (line ends aside)."""
    size = len(block.search)
    return [Place(document, at, at + size, block.replace) for at in _lines_at(document.bare, block.search)]


def loose(document: Document, block: Block) -> list[Place]:
    """Finds the lines but for trailing white space, outer blank lines and one shift of indentation."""
    block = without_outer_blanks(block)
    size = len(block.search)
    stripped = [line.strip() for line in document.bare]
    places: list[Place] = []
    for at in _lines_at(stripped, [line.strip() for line in block.search]):
        actual = document.bare[at : at + size]
        if shift := uniform_shift(block.search, actual):
            places.append(
                Place(document, at, at + size, carry_over(block.search, block.replace, actual, shift))
            )
    return places


def within_lines(document: Document, block: Block) -> list[Place]:
    """Finds the quoted text inside lines, never cutting a word."""
    block = without_outer_blanks(block)
    if len(block.search) == 1:
        block = Block((block.search[0].strip(),), _stripped_ends(block.replace), block.file)
    text, wanted = "\n".join(document.bare), "\n".join(block.search)
    places: list[Place] = []
    for at in _texts_at(text, wanted):
        end = at + len(wanted)
        if _cuts_word(text, at) or _cuts_word(text, end):
            continue
        line_start, line_end = text.rfind("\n", 0, at) + 1, text.find("\n", end)
        rest = text[end:] if line_end < 0 else text[end:line_end]
        new = (text[line_start:at] + "\n".join(block.replace) + rest).split("\n")
        first = text.count("\n", 0, at)
        places.append(Place(document, first, first + len(block.search), tuple(new)))
    return places


STAGES: tuple[Stage, ...] = (exact, loose, within_lines)


def without_outer_blanks(block: Block) -> Block:
    """Returns a block without blank lines around its old text, and as many fewer around its new text."""
    first = next((i for i, line in enumerate(block.search) if line.strip()), 0)
    last = next((i for i, line in enumerate(reversed(block.search)) if line.strip()), 0)
    replace = list(block.replace)
    for _ in range(first):
        if replace and not replace[0].strip():
            del replace[0]
    for _ in range(last):
        if replace and not replace[-1].strip():
            del replace[-1]
    return Block(block.search[first : len(block.search) - last], tuple(replace), block.file)


def _stripped_ends(lines: Sequence[str]) -> tuple[str, ...]:
    """Returns lines without the white space before the first and after the last."""
    return tuple("\n".join(lines).strip().split("\n")) if lines else ()


def _lines_at(lines: Sequence[str], wanted: Sequence[str]) -> Iterator[int]:
    """Yields the index of each run of lines equal to the wanted ones, by one search over the text."""
    if wanted:
        text = "\n".join(["", *lines, ""])
        position = line = 0
        for at in _texts_at(text, "\n".join(["", *wanted, ""])):
            line += text.count("\n", position, at)
            position = at
            yield line


def _texts_at(text: str, wanted: str) -> Iterator[int]:
    """Yields the positions of a text in another, at most `MAX_PLACES`; matches may overlap."""
    at = text.find(wanted)
    for _ in range(MAX_PLACES):
        if at < 0:
            return
        yield at
        at = text.find(wanted, at + 1)


def _cuts_word(text: str, at: int) -> bool:
    """Says whether the position lies inside a word or a number."""
    if not 0 < at < len(text):
        return False
    left, right = text[at - 1], text[at]
    if "." in (left, right):
        return left.isdigit() or right.isdigit()
    return (left.isalnum() or left == "_") and (right.isalnum() or right == "_")
