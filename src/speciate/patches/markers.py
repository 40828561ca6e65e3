"""A program's file as lines, with the line ranges that may change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from speciate.records import Program
from speciate.tasks import FileSegments, Language, Task, program_segments


def split_lines(text: str) -> list[str]:
    r"""Returns the lines of a text with their line ends. Only ``\n`` ends a line."""
    *lines, rest = text.split("\n")
    ended = [line + "\n" for line in lines]
    return [*ended, rest] if rest else ended


def plain_lines(text: str) -> list[str]:
    r"""Returns the lines of a text without their line ends (``\n`` or ``\r\n``)."""
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return [line.removesuffix("\r") for line in lines] if "\r" in text else lines


def bare(line: str) -> str:
    r"""Returns a line without its line end (``\n`` or ``\r\n``)."""
    return line[:-2] if line.endswith("\r\n") else line.removesuffix("\n")


@dataclass(frozen=True, slots=True)
class Document:
    r"""One file of a program, cut into lines. Line indices count from 0, the lines shown to a model from 1.

    Attributes:
        name: the file's name.
        language: what it is written in.
        lines: its lines with their line ends; joined they are the text.
        bare: its lines without line ends.
        regions: index ranges of the lines that may change, in order; a range may be empty.
        ending: the file's line end, ``\n`` or ``\r\n``.
    """

    name: str
    language: Language
    lines: tuple[str, ...]
    bare: tuple[str, ...]
    regions: tuple[range, ...]
    ending: str

    @classmethod
    def of(cls, file: FileSegments) -> Document:
        """Builds the document of a file."""
        lines: list[str] = []
        plain: list[str] = []
        regions: list[range] = []
        for segment in file.segments:
            start = len(lines)
            lines += split_lines(segment.text)
            plain += plain_lines(segment.text)
            if segment.mutable:
                regions.append(range(start, len(lines)))
        crlf = sum(segment.text.count("\r\n") for segment in file.segments)
        ending = "\r\n" if 2 * crlf > len(lines) else "\n"
        return cls(file.name, file.language, tuple(lines), tuple(plain), tuple(regions), ending)

    def mutable(self, start: int, stop: int) -> bool:
        """Says whether the lines [start, stop) may change."""
        return any(region.start <= start and stop <= region.stop for region in self.regions)

    def where(self) -> str:
        """Says which lines may change, for a message."""
        ranges = [f"{r.start + 1}-{r.stop}" if r else f"after line {r.start}" for r in self.regions]
        return f"{self.name}: lines {', '.join(ranges)}" if ranges else f"{self.name}: none"

    def show(self, start: int, stop: int, *, most: int = 12) -> str:
        """Returns the lines [start, stop) with their numbers, at most `most` of them."""
        shown = [f"{i + 1:5d} | {self.bare[i][:200]}" for i in range(start, min(stop, start + most))]
        if stop - start > most:
            shown.append(f"      ... {stop - start - most} more lines")
        return "\n".join(shown)

    def splice(self, start: int, stop: int, new: Sequence[str]) -> str:
        """Returns the file's text with the lines [start, stop) replaced.

        Lines that stay the same at both ends of the stretch keep their own bytes; new ones get the file's
        line end. A file without a final line end stays without.

        Args:
            start: index of the first line replaced.
            stop: index after the last.
            new: the new lines, without line ends.
        """
        first, last = 0, len(new)
        while start < stop and first < last and self.bare[start] == new[first]:
            start, first = start + 1, first + 1
        while start < stop and first < last and self.bare[stop - 1] == new[last - 1]:
            stop, last = stop - 1, last - 1
        middle = [line + self.ending for line in new[first:last]]
        lines = [*self.lines[:start], *middle, *self.lines[stop:]]
        return "".join(self._ended(lines))

    def _ended(self, lines: list[str]) -> list[str]:
        """Gives each line but the last a line end, and the last one only if the file had one."""
        final = not self.lines or self.lines[-1].endswith("\n")
        ended = [line if line.endswith("\n") else line + self.ending for line in lines]
        if ended and not final:
            ended[-1] = bare(ended[-1])
        return ended


def documents(program: Program, task: Task) -> tuple[Document, ...]:
    """Returns the documents of a program's files, in file order.

    Raises:
        TaskError: the program's markers are malformed, so it is no program of this task.
    """
    return tuple(Document.of(file) for file in program_segments(program, task.spec))
