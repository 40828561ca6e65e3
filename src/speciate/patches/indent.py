"""Carries a replacement over to text with another indentation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher


@dataclass(frozen=True, slots=True)
class Shift:
    """A change of indentation: `remove` is taken off the front of a line, then `add` is put there."""

    remove: str = ""
    add: str = ""

    def fits(self, line: str) -> bool:
        """Says whether `remove` can be taken off a line."""
        return line.startswith(self.remove)

    def __call__(self, line: str) -> str:
        """Returns the line shifted; blank lines stay, a line with less indentation loses what it has."""
        if not line.strip():
            return line
        return self.add + (line.removeprefix(self.remove) if self.fits(line) else line.lstrip())


def indentation(line: str) -> str:
    """Returns the white space a line starts with."""
    return line[: len(line) - len(line.lstrip())]


def _between(quoted: str, actual: str) -> Shift:
    """Returns the shift from one line's indentation to another's."""
    was, now = indentation(quoted), indentation(actual)
    if now.endswith(was):
        return Shift(add=now.removesuffix(was))
    if was.endswith(now):
        return Shift(remove=was.removesuffix(now))
    return Shift(remove=was, add=now)


def uniform_shift(quoted: Sequence[str], actual: Sequence[str]) -> Shift | None:
    """Returns the one shift that turns all quoted lines into the actual ones, or None.

    Args:
        quoted: lines as a model quoted them.
        actual: as many lines of the program, equal but for white space around them.
    """
    pairs = [(q, a) for q, a in zip(quoted, actual, strict=True) if q.strip()]
    if not pairs:
        return Shift()
    shift = _between(*pairs[0])
    if all(shift.fits(q) and shift(q).rstrip() == a.rstrip() for q, a in pairs):
        return shift
    return None


def usual_shift(quoted: Sequence[str], actual: Sequence[str]) -> Shift:
    """Returns the shift that most pairs of lines show; the earliest of equally frequent ones."""
    counts = Counter(_between(q, a) for q, a in zip(quoted, actual, strict=False) if q.strip() and a.strip())
    return counts.most_common(1)[0][0] if counts else Shift()


def carry_over(
    search: Sequence[str], replace: Sequence[str], actual: Sequence[str], shift: Shift
) -> tuple[str, ...]:
    """Returns the replacement as it should stand in the program.

    Lines that a block leaves unchanged keep the program's own text, however the model quoted them; new
    lines are shifted.

    Args:
        search: the block's old lines.
        replace: the block's new lines.
        actual: the program's lines that were found for `search`.
        shift: from the block's indentation to the program's.
    """
    if len(actual) != len(search):
        return tuple(map(shift, replace))
    out: list[str] = []
    for tag, i, j, first, last in SequenceMatcher(
        None, search, replace, autojunk=len(search) > 500
    ).get_opcodes():
        out += actual[i:j] if tag == "equal" else map(shift, replace[first:last])
    return tuple(out)
