"""What a command says: to people on stdout, or one JSON object there and the rest on stderr."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence

from speciate.cli.words import visible


class Output:
    """Where the words of one command go.

    Args:
        as_json: whether stdout is kept for one JSON object.
        quiet: whether remarks by the way are left out.
    """

    def __init__(self, *, as_json: bool, quiet: bool = False) -> None:
        self.as_json = as_json
        self.quiet = quiet

    def say(self, *lines: str) -> None:
        """Prints what the user asked for; unchanged into a file or pipe, made visible on a terminal."""
        stream = sys.stderr if self.as_json else sys.stdout
        shown = map(visible, lines) if stream.isatty() else lines
        print(*shown, sep="\n", file=stream, flush=True)

    def remark(self, text: str) -> None:
        """Prints something by the way, on stderr."""
        if not self.quiet:
            print(text, file=sys.stderr, flush=True)

    def result(self, value: object) -> None:
        """Prints the one JSON object if JSON was asked for; numbers that JSON cannot say become null."""
        if self.as_json:
            print(as_json_text(value), flush=True)


def as_json_text(value: object) -> str:
    """Returns records, dataclasses, paths and plain values as JSON on one line."""
    from pydantic_core import to_jsonable_python

    return json.dumps(to_jsonable_python(value, inf_nan_mode="null"))


def columns(rows: Iterable[Sequence[str]], *, indent: str = "  ") -> list[str]:
    """Returns rows as lines with aligned columns."""
    table = [tuple(row) for row in rows]
    widths = [max(len(cell) for cell in column) for column in zip(*table, strict=True)]
    return [
        indent + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in table
    ]
