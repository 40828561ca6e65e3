"""From the text of one line to tokens."""

from __future__ import annotations

import re
from typing import Final, Literal, NamedTuple

Kind = Literal["name", "digits", "number", "join", "op", "bad"]
"""What a token is.

``digits`` is a number as it stands in the source, to which more digits may still be joined (``5 5`` is 55);
``number`` is a number that is complete; ``join`` is an ``&`` between two names; ``bad`` is a character that
no Redcode may contain outside a comment.
"""


class Token(NamedTuple):
    """A word of a line.

    Attributes:
        kind: what it is.
        text: its characters; operators of two characters come without inner blanks.
        column: where it starts, from 1; what an EQU stands for is placed where its name was.
    """

    kind: Kind
    text: str
    column: int

    def at(self, column: int) -> Token:
        """Returns the same word at another place."""
        return Token(self.kind, self.text, column)


_WORD: Final = re.compile(
    r"(?P<name>[A-Za-z_]\w*)"
    r"|(?P<digits>\d+)"
    r"|(?P<join>(?<=\w)&(?=[A-Za-z_]))"
    r"|(?P<op>&\s*&|\|\s*\||[=!<>]\s*=|[-+*/%(),.:#$@{}<>=!])"
    r"|(?P<bad>\S)",
    re.ASCII,
)

END: Final = Token("op", "", 0)
"""What stands behind the last token of a line."""


def code_of(text: str) -> str:
    """Returns the part of a line before its comment."""
    return text.partition(";")[0]


def tokenise(text: str) -> tuple[Token, ...]:
    """Returns the tokens of a line, its comment left out.

    Never fails: what cannot be part of Redcode becomes a token of kind ``bad``, so that the error can say
    what was expected at that place.
    """
    return tuple([_token(match) for match in _WORD.finditer(code_of(text))])


def _token(match: re.Match[str]) -> Token:
    """Returns the token a match stands for."""
    word = match[0]
    if match.lastgroup == "op" and len(word) > 2:
        word = word[0] + word[-1]
    # `lastgroup` names one of the groups above, which are the kinds.
    return Token(match.lastgroup, word, match.start() + 1)  # type: ignore[arg-type]
