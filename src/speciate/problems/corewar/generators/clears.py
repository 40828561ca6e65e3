"""Clears: they write over the core cell by cell."""

from __future__ import annotations

from speciate.problems.corewar.generators.dice import Dice
from speciate.problems.corewar.generators.draft import Draft, Line


def down(dice: Dice, room: int) -> Draft:
    """Draws a downward wipe that stops at its own pointer (3 cells)."""
    lines = (
        Line("mov.i $kill, <kill", "wipe", "A is read first: the pointer survives itself"),
        Line(f"jmp.b $wipe, {dice.spare(1)}"),
        Line(f"dat.f {dice.one(('#0', '<-4', '>2'))}, #-2", "kill"),
    )
    return Draft("clear", ("Wipes the core downwards.",), lines, "wipe")


def crowd_down(dice: Dice, room: int) -> Draft:
    """Draws the same for many processes (4 cells)."""
    lines = (
        Line(f"spl.b #0, {dice.spare(0)}", "more"),
        Line("mov.i $kill, <kill", "wipe"),
        Line(f"jmp.b $wipe, {dice.spare(2)}"),
        Line(f"dat.f {dice.one(('#0', '<-4', '>2'))}, #-3", "kill"),
    )
    return Draft("clear", ("Many processes wipe the core downwards.",), lines, "more")


def up(dice: Dice, room: int) -> Draft:
    """Draws an upward clear of many processes that begins anew past its own code (5 cells)."""
    lines = (
        Line("dat.f #0, #5", "gate", "the pointer"),
        Line(f"spl.b #0, {dice.spare(1)}", "more"),
        Line("mov.i $bomb, >gate", "wipe"),
        Line(f"{dice.one(('jmp.b', 'jmp.b', 'djn.f'))} $wipe, <{-dice.between(6, 15)}"),
        Line(f"dat.f <{-dice.between(5, 14)}, #6", "bomb", "as a pointer it starts past the code"),
    )
    return Draft("clear", ("Many processes flood the core upwards, again and again.",), lines, "more")


def twice(dice: Dice, room: int) -> Draft:
    """Draws a pass that stuns and a pass that kills (6 cells)."""
    size = dice.settings.core_size
    lines = (
        Line("mov.i $fire, <fire", "stun"),
        Line(f"djn.b $stun, #{max(1, size - dice.between(8, 12))}", "", "all but the code"),
        Line("mov.i $kill, <kill", "wipe"),
        Line(f"jmp.b $wipe, {dice.spare(3)}"),
        Line(dice.one(("spl.b #0, #-4", "spl.b $0, #-4")), "fire"),
        Line(f"dat.f {dice.one(('#0', '<-7'))}, #-5", "kill"),
    )
    return Draft("clear", ("Covers the core with SPL, then with DAT.",), lines, "stun")
