"""What a misquoted line may not misquote: the numbers, texts and operators of the code."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from speciate.tasks import Language, Token, source_tokens

_SPACING = frozenset("()[],;:.")
"""Signs that quotes forget or add without meaning other lines: brackets, commas, dots."""


def literals(lines: Sequence[str], spoken: Language) -> tuple[str, ...]:
    """Returns what must be quoted as it is, in its order; comments, layout and plain names are left out.

    Lines that differ in nothing but a number or an operator are mostly neighbours (rows of a table, `x += d`
    and `y -= d`), so such a difference names another line, and an edit made for it would go astray. A
    digit within a name counts for the same reason (`x1`, `x2`).

    Args:
        lines: some lines of a source.
        spoken: its language, for its comments.
    """
    return tuple(token.text for token in source_tokens("\n".join(lines), spoken) if _counts(token))


def difference(quoted: Sequence[str], actual: Sequence[str]) -> str | None:
    """Returns where two results of `literals` first differ, in words for a model, or None for equal ones."""
    for said, there in zip_longest(quoted, actual):
        if said != there:
            return f"{_shown(said)} where these lines have {_shown(there)}"
    return None


def _counts(token: Token) -> bool:
    if token.kind == "word":
        return any(letter.isdigit() for letter in token.text)
    return token.kind != "sign" or token.text not in _SPACING


def _shown(text: str | None) -> str:
    return "nothing" if text is None else repr(text[:60])
