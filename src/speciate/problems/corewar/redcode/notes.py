"""What the assembler remarks about a source that it accepts all the same."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from speciate.problems.corewar.redcode.lines import Line

_MOST: Final = 100


class Notes:
    """Collects remarks; the same remark on the same line is kept once, and no more than a hundred in all."""

    def __init__(self) -> None:
        self._said: dict[str, None] = {}

    def add(self, remark: str, line: Line | None = None) -> None:
        """Adds a remark about a line, or about the whole source."""
        if len(self._said) < _MOST:
            self._said[remark if line is None else f"line {line.number}: {remark}"] = None

    def __iter__(self) -> Iterator[str]:
        return iter(self._said)
