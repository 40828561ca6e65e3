"""Imps: one that walks, a pump of many, rings and spirals; and gates against them."""

from __future__ import annotations

import math

from speciate.problems.corewar.generators.dice import Dice
from speciate.problems.corewar.generators.draft import Draft, Line


def walker(dice: Dice, room: int) -> Draft:
    """Draws a lone imp (1 cell)."""
    kinds = ("mov.i $0, $1", "mov.i #1, *0", "mov.i #0, $1")
    return Draft("imp", ("A lone imp walks up the core.",), (Line(dice.one(kinds), "imp"),), "imp")


def pump(dice: Dice, room: int) -> Draft:
    """Draws a source of ever more imps (2 cells)."""
    lines = (
        Line(f"spl.b #0, {dice.spare(0)}", "pump", "one more imp each time"),
        Line("mov.i $0, $1", "imp"),
    )
    return Draft("imp", ("Sends imps up the core, one after another.",), lines, "pump")


def points(dice: Dice, room: int) -> dict[int, float]:
    """Returns the numbers of imps that can form a ring in this core and room, with their weights."""
    size = dice.settings.core_size
    return {
        number: weight
        for number, weight in dice.priors.points.items()
        if weight > 0 and number > 1 and math.gcd(number, size) == 1 and _cells(number) <= room
    }


def ring_possible(dice: Dice, room: int) -> bool:
    """Returns whether `ring` can be drawn."""
    return bool(points(dice, room))


def ring(dice: Dice, room: int) -> Draft:
    """Draws a ring of imps that are launched in step through a table of jumps."""
    number = dice.weighted(points(dice, room))
    apart = pow(number, -1, dice.settings.core_size)
    doublings = _doublings(number)
    imp = dice.one((f"mov.i $0, ${apart}", f"mov.i #{apart}, *0"))
    lines = [
        *(Line("spl.b $1", "start" if i == 0 else "", f"{2 ** (i + 1)} in step") for i in range(doublings)),
        Line("jmp.b >0, $1", "", "each takes the next line of the table"),
        *(Line(f"jmp.b $imp+{i * apart}") for i in range(number)),
        *(Line(f"jmp.b $0, {dice.spare(number + 5)}") for _ in range((1 << doublings) - number)),
        Line(imp, "imp", f"{number} times {apart} is 1 in this core"),
    ]
    told = f"A ring of {number} imps, each {apart} cells from the next."
    return Draft("imp", (told,), tuple(lines), "start")


def _doublings(number: int) -> int:
    """Returns how many SPLs make at least so many processes."""
    return (number - 1).bit_length()


def _cells(number: int) -> int:
    """Returns the length of a ring's launcher."""
    return _doublings(number) + 1 + (1 << _doublings(number)) + 1


def turnstile(dice: Dice, room: int) -> Draft:
    """Draws a jump onto itself that keeps decrementing one cell below (1 cell)."""
    line = Line(f"jmp.b $0, <{-dice.between(2, 14)}", "wait")
    return Draft("gate", ("Waits, and spoils what comes through one cell.",), (line,), "wait")


def double(dice: Dice, room: int) -> Draft:
    """Draws a gate of many processes (2 cells)."""
    lines = (
        Line(f"spl.b #0, <{-dice.between(3, 14)}", "more"),
        Line(f"jmp.b $more, {dice.one(('<', '{'))}{-dice.between(4, 15)}"),
    )
    return Draft("gate", ("Many processes spoil what comes through two cells.",), lines, "more")


def masonry(dice: Dice, room: int) -> Draft:
    """Draws a gate that lays the same DAT again and again (3 cells)."""
    below = dice.between(2, 10)
    lines = (
        Line(f"mov.i $brick, ${-below}", "lay", "lays it again, whatever came there"),
        Line(f"jmp.b $lay, <{-below - 2}"),
        Line(f"dat.f <{-dice.between(1, 9)}, <{-dice.between(1, 9)}", "brick"),
    )
    return Draft("gate", (f"Keeps a wall {below} cells below itself.",), lines, "lay")
