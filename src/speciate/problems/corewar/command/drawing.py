"""Draws a `Picture` for a terminal. Imports rich."""

from __future__ import annotations

import string
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from rich.text import Text

from speciate.problems.corewar.command.picture import NOBODY, OUTSIDE, Picture, Standing
from speciate.problems.corewar.command.telling import table

COLOURS: Final = ("red", "cyan", "yellow", "magenta", "green", "blue")
"""Colours of the warriors in turn; each has a bright form for cells where processes stand."""
SHADES: Final = "░▒▓█"
"""From few to all cells of a character written last by the one whose colour it has."""
EMPTY: Final = "·"
PROCESS: Final = "●"


@dataclass(frozen=True, slots=True)
class Style:
    """How warriors are told apart.

    Attributes:
        colours: whether the terminal has colours and the user wants them.
        letters: whether each warrior is a letter, a capital where its processes stand; else it is a colour
            alone, and the characters show how much it holds.
    """

    colours: bool
    letters: bool

    @classmethod
    def of(cls, warriors: int, *, colours: bool) -> Style:
        """Returns the style for so many warriors: letters where colours do not suffice."""
        return cls(colours=colours, letters=not colours or warriors > len(COLOURS))


def field(width: int, height: int, warriors: int) -> tuple[int, int]:
    """Returns columns and rows of the map in a window of that size, the lines around it taken off."""
    return max(1, width), max(1, height - 2 - _listed(height, warriors))


def draw(
    picture: Picture, names: Sequence[str], heading: str, *, width: int, height: int, style: Style
) -> Text:
    """Returns the picture as text: a heading, the map, and a line a warrior as far as they fit.

    Args:
        picture: what to draw.
        names: what the warriors are called, in their order.
        heading: the first line.
        width: columns of the window; longer lines are cut.
        height: lines of the window.
        style: how warriors are told apart.
    """
    text = Text(no_wrap=True, end="")
    for line in (Text(heading), *_map(picture, style), *_legend(picture, names, height, style)):
        line.truncate(width)
        text.append_text(line).append("\n")
    text.right_crop(1)
    return text


def _map(picture: Picture, style: Style) -> Iterator[Text]:
    """Yields the lines of the map."""
    for owners, shares, busy in zip(
        picture.owners.tolist(), picture.shares.tolist(), picture.busy.tolist(), strict=True
    ):
        line = Text()
        marks = (_mark(*cell, style) for cell in zip(owners, shares, busy, strict=True))
        for colour, run in groupby(marks, key=lambda mark: mark[1]):
            line.append("".join(sign for sign, _ in run), colour)
        yield line


def _mark(owner: int, share: float, busy: int, style: Style) -> tuple[str, str]:
    """Returns the character for some cells and its colour."""
    if owner == OUTSIDE:
        return " ", ""
    if busy != NOBODY:
        return (_letter(busy).upper() if style.letters else PROCESS), _colour(busy, style, bright=True)
    if owner == NOBODY:
        return EMPTY, "dim" if style.colours else ""
    shade = SHADES[min(len(SHADES) - 1, int(share * len(SHADES)))]
    return (_letter(owner) if style.letters else shade), _colour(owner, style)


def _letter(seat: int) -> str:
    return string.ascii_lowercase[seat % len(string.ascii_lowercase)]


def _colour(seat: int, style: Style, *, bright: bool = False) -> str:
    if not style.colours:
        return ""
    colour = COLOURS[seat % len(COLOURS)]
    return f"bold bright_{colour}" if bright else colour


def _legend(picture: Picture, names: Sequence[str], height: int, style: Style) -> Iterator[Text]:
    """Yields a line a warrior; if not all fit, the last line says how many more there are."""
    count = len(names)
    listed = _listed(height, count)
    shown = count if listed == count else listed - 1
    rows = [_told(name, standing) for name, standing in zip(names, picture.standings, strict=True)][:shown]
    lines = table(("",) * 4, rows, texts=1)[1:] if rows else []
    for seat, line in enumerate(lines):
        mark = _letter(seat) if style.letters else SHADES[-1]
        yield Text(f"{mark} ", _colour(seat, style)).append(line, "" if _lives(picture, seat) else "dim")
    if shown < count:
        yield Text(f"  and {count - shown} more")


def _lives(picture: Picture, seat: int) -> bool:
    return picture.standings[seat].died is None


def _told(name: str, standing: Standing) -> tuple[str, str, str, str]:
    fate = "alive" if standing.died is None else f"dead since cycle {standing.died:,}"
    return name, _counted(standing.processes, "process", "es"), _counted(standing.cells, "cell", "s"), fate


def _counted(number: int, noun: str, plural: str) -> str:
    return f"{number:,} {noun}{plural if number != 1 else ' ' * len(plural)}"


def _listed(height: int, warriors: int) -> int:
    """Returns how many lines the legend has: at most a third of the window."""
    return min(warriors, max(1, height // 3))
