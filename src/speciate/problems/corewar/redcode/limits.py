"""What one source may cost: every bound of the assembler in one place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from speciate.problems.corewar.redcode.errors import RedcodeError
from speciate.problems.corewar.redcode.lines import Line

LARGEST_SOURCE: Final = 1_000_000
"""Most bytes or characters of a source."""

MOST_LINES: Final = 50_000
"""Most lines of a source."""

LONGEST_LINE: Final = 2_000
"""Most characters of a line before its comment."""

MOST_STEPS: Final = 100_000
"""Most words read and put in for names, loops included; about a third of a second."""

CHARACTERS_A_STEP: Final = 40
"""A line of so many characters costs one step more, be they blanks or a comment: they are looked at each time
the line is read."""

DEEPEST: Final = 64
"""How deep parentheses and EQUs may be nested."""

LONGEST_TEXT: Final = 4_000
"""Most words of one operand after every EQU in it is replaced."""


@dataclass(slots=True)
class Budget:
    """Counts the work on one source, so that loops and names that multiply end in an error.

    Attributes:
        left: steps that may still be done.
    """

    left: int = MOST_STEPS

    def spend(self, line: Line, steps: int = 1) -> None:
        """Takes steps off.

        Raises:
            RedcodeError: none are left.
        """
        self.left -= steps
        if self.left < 0:
            raise RedcodeError(
                "the source unfolds into too much code: FOR repeats or EQU multiplies too often",
                line=line.number,
                expected=f"at most {MOST_STEPS:,} words after unfolding",
                text=line.shown,
            )
