"""A source of any language as numbers, texts, words and signs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias

from speciate.tasks.languages import Language

TokenKind: TypeAlias = Literal["text", "number", "word", "sign"]

_PIECE = (
    r"""(?P<text>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|(?P<number>\.?\d[\w.]*)|(?P<word>[^\W\d]\w*)|\S"""
)


class Token(NamedTuple):
    """One piece of a source.

    Attributes:
        kind: ``text`` stands between quotes on one line; ``sign`` is any one character that is nothing else.
        text: as it is written, quotes included.
    """

    kind: TokenKind
    text: str


def source_tokens(text: str, spoken: Language) -> Iterator[Token]:
    """Yields the tokens of a source in their order, without comments and layout.

    Args:
        text: the source, or some lines of it.
        spoken: its language, for its comments.
    """
    for match in _pattern(spoken).finditer(text):
        match match.lastgroup:
            case "text" | "number" | "word" as kind:
                yield Token(kind, match[0])
            case None:
                yield Token("sign", match[0])


@lru_cache(maxsize=64)
def _pattern(spoken: Language) -> re.Pattern[str]:
    blocks = [f"{re.escape(a)}.*?(?:{re.escape(b)}|\\Z)" for a, b in spoken.block]
    lines = [f"{re.escape(opening)}[^\\n]*" for opening in spoken.line]
    comment = "|".join([*blocks, *lines]) or r"(?!)"
    return re.compile(f"(?P<comment>{comment})|{_PIECE}", re.DOTALL)
