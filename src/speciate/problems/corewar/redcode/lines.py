"""From a source to its numbered lines."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from speciate.problems.corewar.redcode.errors import RedcodeError
from speciate.problems.corewar.redcode.lexer import Token, tokenise

_SHOWN: Final = 120
_ENDS: Final = re.compile(r"\r\n|\r|\n")
RESTART: Final = re.compile(r"\s*;redcode(?!\w)", re.IGNORECASE | re.ASCII)


@dataclass(frozen=True, slots=True)
class Line:
    """A line to assemble.

    Attributes:
        number: where it stands in the source, from 1; for the text of an EQU, where its name is used.
        text: the source line at that place.
        words: its tokens; None if they are those of `text`.
    """

    number: int
    text: str
    words: tuple[Token, ...] | None = None

    @property
    def tokens(self) -> tuple[Token, ...]:
        """Its tokens."""
        return tokenise(self.text) if self.words is None else self.words

    @property
    def shown(self) -> str:
        """The source line as an error shows it: without surrounding blanks, shortened."""
        text = self.text.strip()
        return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"

    def error(self, message: str, *, at: Token | None = None, expected: str = "") -> RedcodeError:
        """Returns an error about this line, to be raised.

        Args:
            message: what is wrong.
            at: the token that is wrong; None means the line as a whole.
            expected: what would have been accepted, or an empty string.
        """
        column = at.column if at is not None else 0
        return RedcodeError(message, line=self.number, column=column, expected=expected, text=self.shown)


def decode(source: str | bytes, *, largest: int, most_lines: int) -> str:
    """Returns a source as text.

    Bytes that are not UTF-8 are read as Latin-1, as many warriors of the 1990s have them in their comments;
    such a character outside a comment is an error later on, at its place.

    Args:
        source: the source.
        largest: most characters or bytes.
        most_lines: most lines; ends of two characters count as one.

    Raises:
        RedcodeError: the source is too large.
    """
    if len(source) > largest:
        raise RedcodeError(
            f"the source has {len(source):,} characters", expected=f"at most {largest:,} characters"
        )
    text = source if isinstance(source, str) else _text(source)
    lines = text.count("\n") + text.count("\r") - text.count("\r\n")
    if lines > most_lines:
        raise RedcodeError(
            f"the source has {lines:,} ends of lines", expected=f"at most {most_lines:,} lines"
        )
    return text


def _text(source: bytes) -> str:
    try:
        return source.decode("utf-8")
    except UnicodeDecodeError:
        return source.decode("latin-1")


def source_lines(text: str) -> list[Line]:
    """Returns the lines of a text; one that ends in a backslash is continued by the next one."""
    lines: list[Line] = []
    started, parts = 0, []
    for number, part in enumerate(_ENDS.split(text.removeprefix("\ufeff")), start=1):
        started = started or number
        continued = part.endswith("\\")
        parts.append(part[:-1] if continued else part)
        if not continued:
            lines.append(Line(started, "".join(parts)))
            started, parts = 0, []
    if parts:
        lines.append(Line(started, "".join(parts)))
    return lines


def first_program(lines: Iterable[Line]) -> list[Line]:
    """Returns the lines of the first program.

    A program begins behind the first line ``;redcode`` and ends before the second one; without any, all lines
    are the program.
    """
    program: list[Line] = []
    begun = False
    for line in lines:
        if not RESTART.match(line.text):
            program.append(line)
        elif begun:
            break
        else:
            begun = True
            program.clear()
    return program
