"""A report's Markdown as a terminal shows it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

from speciate.cli.output import columns

_CELLS = re.compile(r"(?<!\\)\|")
_ESCAPED = re.compile(r"\\([\\`*\[\]<>|#~_])")
_EMPHASIS = re.compile(r"(?<!\\)\*+")


def terminal_lines(page: str) -> list[str]:
    """Returns Markdown as lines for people: tables with aligned columns, no marks of emphasis or escapes.

    Args:
        page: as `reports` writes it: paragraphs and tables, no code, no lists within tables.
    """
    lines: list[str] = []
    for is_table, group in groupby(page.splitlines(), key=lambda line: line.startswith("|")):
        rows = list(group)
        lines += _table(rows) if is_table else map(_plain, rows)
    return lines


def _table(rows: Sequence[str]) -> list[str]:
    head, rule, *body = ([_plain(cell.strip()) for cell in _CELLS.split(row)[1:-1]] for row in rows)
    cells = [head, *body]
    widths = [max(len(row[place]) for row in cells) for place in range(len(head))]
    right = [cell.endswith(":") for cell in rule]
    return columns(
        [cell.rjust(width) if leans else cell for cell, width, leans in zip(row, widths, right, strict=True)]
        for row in cells
    )


def _plain(text: str) -> str:
    return _ESCAPED.sub(r"\1", _EMPHASIS.sub("", text))
