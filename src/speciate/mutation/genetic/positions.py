"""Where the nodes of a syntax tree lie in the bytes of their file."""

from __future__ import annotations

import ast
import re

from speciate.mutation.genetic.edits import Span

_LINE_END = re.compile(rb"\r\n|\r|\n")  # what Python's tokenizer takes for one; a form feed is not
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class Positions:
    """Turns lines and columns of one file into byte offsets.

    Attributes:
        data: the file's UTF-8.
    """

    def __init__(self, data: bytes) -> None:
        self.data = data
        self._starts = [0, *(match.end() for match in _LINE_END.finditer(data))]
        if data.startswith(_BYTE_ORDER_MARK):
            self._starts[0] = len(_BYTE_ORDER_MARK)  # the parser counts columns after it

    def span(self, node: ast.expr | ast.stmt) -> Span:
        """Returns where a node starts and ends."""
        assert node.end_lineno is not None  # a parsed node has an end
        assert node.end_col_offset is not None
        starts = self._starts
        return starts[node.lineno - 1] + node.col_offset, starts[node.end_lineno - 1] + node.end_col_offset

    def line(self, number: int) -> int:
        """Returns where a line, counted from 1, starts."""
        return self._starts[number - 1]

    def lines(self, first: int, last: int) -> Span:
        """Returns the whole lines from `first` to `last`, with the last one's end."""
        return self._starts[first - 1], self._starts[last] if last < len(self._starts) else len(self.data)
