"""Markdown: tables, numbers, durations, money."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence

from speciate.records import Dollars, Seconds

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


def number(value: float | None, *, digits: int = 6) -> str:
    """Returns a number with so many significant digits; a dash for None."""
    return "–" if value is None else f"{value:.{digits}g}"


def gain(value: float | None) -> str:
    """Returns a difference with its sign; a dash for None."""
    return "–" if value is None else f"{value:+.4g}"


def share(part: int, whole: int) -> str:
    """Returns a share in per cent; a dash of nothing."""
    return f"{100 * part / whole:.0f} %" if whole else "–"


def dollars(cost: Dollars | None) -> str:
    """Returns an amount of money; None is unknown, and never 0."""
    if cost is None:
        return "unknown"
    return f"${cost:.2f}" if cost == 0 or cost >= 0.1 else f"${cost:.2g}"


def duration(seconds: Seconds) -> str:
    """Returns a duration in the units that suit it."""
    if not math.isfinite(seconds) or seconds < 1:
        return f"{1000 * seconds:.0f} ms"
    if seconds < 120:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s"
