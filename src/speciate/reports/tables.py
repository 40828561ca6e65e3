"""Markdown: tables, and foreign text within them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_CONTROL = dict.fromkeys((*range(32), 127), " ")
_MARKS = re.compile(r"[\\`*\[\]<>|#~]|(?<![^\W_])_|_(?![^\W_])")  # an underscore within a word means nothing


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Returns a Markdown table; columns whose head ends in a space hold numbers and lean to the right."""
    rule = ["---:" if name.endswith(" ") else "---" for name in head]
    lines = [[name.strip() for name in head], rule, *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def plain(text: str, *, most: int = 100) -> str:
    """Returns foreign text as one line that Markdown shows as it is, cut after `most` characters."""
    line = " ".join(text.translate(_CONTROL).split())
    line = line if len(line) <= most else f"{line[: most - 1]}…"
    return _MARKS.sub(r"\\\g<0>", line)
