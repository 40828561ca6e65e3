"""What the command says: aligned tables and sentences for people, one JSON object for programs."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from typing import Final, TextIO

from rich.cells import cell_len

_GAP: Final = "  "


def spoken_to(*, as_json: bool) -> TextIO:
    """Returns the stream for people: stdout, or stderr if stdout is kept for JSON."""
    return sys.stderr if as_json else sys.stdout


def say(*lines: str, as_json: bool) -> None:
    """Prints what the user asked for."""
    print(*lines, sep="\n", file=spoken_to(as_json=as_json), flush=True)


def remark(text: str) -> None:
    """Prints something by the way, on stderr."""
    print(shown(text), file=sys.stderr, flush=True)


def result(value: Mapping[str, object], *, as_json: bool) -> None:
    """Prints the one JSON object, if it was asked for."""
    if as_json:
        print(json.dumps(value, allow_nan=False), flush=True)


def shown(text: str) -> str:
    """Returns foreign text so that a terminal shows it and obeys none of it."""
    return "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in text)


def table(head: Sequence[str], rows: Sequence[Sequence[str]], *, texts: int) -> list[str]:
    """Returns aligned lines.

    Args:
        head: what stands above the columns.
        rows: the cells; as many each as the head has.
        texts: how many columns, from the left, are words; they are aligned on the left, numbers on the right.
    """
    lines = [tuple(head), *(tuple(map(shown, row)) for row in rows)]
    widths = [max(map(cell_len, column)) for column in zip(*lines, strict=True)]
    return [
        _GAP.join(
            _padded(cell, width, left=place < texts)
            for place, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    ]


def _padded(cell: str, width: int, *, left: bool) -> str:
    """Returns the cell filled up to so many columns of a terminal."""
    blanks = " " * (width - cell_len(cell))
    return cell + blanks if left else blanks + cell
