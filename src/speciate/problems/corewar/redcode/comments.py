"""Comments that mean something: ``;name``, ``;author``, ``;strategy`` and ``;assert``."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from speciate.problems.corewar.redcode.lexer import Token, tokenise
from speciate.problems.corewar.redcode.limits import LONGEST_LINE
from speciate.problems.corewar.redcode.lines import Line

_REMARK: Final = re.compile(r"\s*;\s*(name|author|strategy)(?:[ \t]+(.*))?$", re.IGNORECASE)
_ASSERT: Final = re.compile(r"\s*;\s*assert(?![A-Za-z0-9_])", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Remarks:
    """What the comments of a program say about it.

    Attributes:
        name: text of the last ``;name``, or an empty string.
        author: text of the last ``;author``, or an empty string.
        strategy: texts of the ``;strategy`` lines.
    """

    name: str = ""
    author: str = ""
    strategy: tuple[str, ...] = ()


def remarks(lines: Iterable[Line]) -> Remarks:
    """Returns what the comment lines of a program say about it, in whatever loop or part they stand."""
    said: dict[str, str] = {}
    strategy = []
    for line in lines:
        match = _REMARK.match(line.text) if ";" in line.text else None
        if match is None:
            continue
        word, text = match[1].lower(), (match[2] or "").strip()
        if word == "strategy":
            strategy.append(text)
        else:
            said[word] = text
    return Remarks(said.get("name", ""), said.get("author", ""), tuple(strategy))


def assertion(line: Line) -> tuple[Token, ...] | None:
    """Returns the tokens of the expression of an ``;assert``; None if the line is none.

    Raises:
        RedcodeError: the line is too long.
    """
    match = _ASSERT.match(line.text)
    if match is None:
        return None
    if len(line.text) > LONGEST_LINE:
        raise line.error("the assertion is too long", expected=f"at most {LONGEST_LINE:,} characters")
    behind = line.text[match.end() :]
    return tuple([token.at(token.column + match.end()) for token in tokenise(behind)])
