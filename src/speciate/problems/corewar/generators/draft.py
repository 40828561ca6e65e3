"""A warrior on paper: labelled lines with their comments, before they are source text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from speciate.problems.corewar.settings import Settings


@dataclass(frozen=True, slots=True)
class Line:
    """One instruction.

    Attributes:
        code: its text without a label, for example ``mov.i $0, $1``.
        label: its label, or an empty string.
        why: its comment, or an empty string.
    """

    code: str
    label: str = ""
    why: str = ""

    @property
    def text(self) -> str:
        """The line as it stands in a source."""
        line = f"{self.label:<8}{self.code}"
        return f"{line:<40}; {self.why}" if self.why else line


@dataclass(frozen=True, slots=True)
class Draft:
    """Lines that fight when they run from the one labelled `start`.

    Every operand is relative, through labels or numbers, so that the lines may be moved as one block.

    Attributes:
        family: name of the family it was drawn from.
        strategy: what it does, one sentence each.
        lines: its instructions.
        start: label of the first one to run; some line has it.
    """

    family: str
    strategy: tuple[str, ...]
    lines: tuple[Line, ...]
    start: str

    def __len__(self) -> int:
        return len(self.lines)

    def relabelled(self, suffix: str) -> Draft:
        """Returns it with a suffix on every label, so that two drafts can stand in one source."""
        labels = [line.label for line in self.lines if line.label]
        names = re.compile(rf"\b({'|'.join(labels)})\b")
        lines = tuple(
            replace(
                line, label=line.label and line.label + suffix, code=names.sub(rf"\g<1>{suffix}", line.code)
            )
            for line in self.lines
        )
        return replace(self, lines=lines, start=self.start + suffix)

    def framed(
        self, before: Sequence[Line], after: Sequence[Line] = (), *, told: str, start: str | None = None
    ) -> Draft:
        """Returns it with further lines around it, a sentence more, and perhaps another start."""
        return replace(
            self,
            strategy=(*self.strategy, told),
            lines=(*before, *self.lines, *after),
            start=start or self.start,
        )

    def source(self, settings: Settings, name: str) -> str:
        """Returns the source text. Its steps are numbers, so it asserts the core size they were drawn for."""
        head = [
            ";redcode-94",
            f";name {name}",
            ";author speciate",
            f";strategy family: {self.family}",
            *(f";strategy {sentence}" for sentence in self.strategy),
            f";assert CORESIZE == {settings.core_size}",
            "",
            f"{'':8}org {self.start}",
        ]
        return "\n".join([*head, *(line.text for line in self.lines), f"{'':8}end", ""])
