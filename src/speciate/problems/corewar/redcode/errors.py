"""What the assembler says of a source it cannot accept."""

from __future__ import annotations

from speciate.errors import SpeciateError


class RedcodeError(SpeciateError, ValueError):
    """A source cannot be assembled.

    The message alone is good enough to send back to a model: place, what was expected, what came.

    Attributes:
        line: line of the source, from 1; 0 if the source as a whole is meant.
        column: column in that line, from 1; 0 if the line as a whole is meant.
        expected: what would have been accepted, or an empty string.
        text: the source line, shortened.
    """

    def __init__(
        self, message: str, *, line: int = 0, column: int = 0, expected: str = "", text: str = ""
    ) -> None:
        place = f"line {line}, column {column}: " if column else f"line {line}: " if line else ""
        said = f"{place}{message}" + (f"; expected {expected}" if expected else "")
        super().__init__(f"{said}\n    {text}" if text else said)
        self.line = line
        self.column = column
        self.expected = expected
        self.text = text
