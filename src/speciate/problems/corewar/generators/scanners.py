"""Scanners: they look before they throw."""

from __future__ import annotations

from speciate.problems.corewar.generators.dice import Dice
from speciate.problems.corewar.generators.draft import Draft, Line


def eyelet(dice: Dice, room: int) -> Draft:
    """Draws the shortest scanner: its test holds the pointer (4 cells)."""
    period = dice.period(5)
    step = dice.step(period)
    lines = (
        Line(f"add.ab #{step}, $eye", "scan"),
        Line(f"jmz.{dice.one(('f', 'f', 'b'))} $scan, $3", "eye", "sees the cells past the code"),
        Line("mov.i $2, @eye", "", "an empty cell"),
        Line("jmp.b $scan"),
    )
    return Draft("scanner", (f"{_told(period, step)} Empties what it finds.",), lines, "scan")


def carpet(dice: Dice, room: int) -> Draft:
    """Draws a scanner that bombs a stretch around each find (7 cells)."""
    period = dice.period(8)
    step = dice.step(period)
    past = dice.between(7, max(7, period - 1))
    lines = (
        Line(f"add.ab #{step}, $bomb", "scan"),
        Line("jmz.f $scan, @bomb"),
        Line(f"mov.ab #{max(period, 2)}, $left"),
        Line("mov.i $bomb, >bomb", "burn"),
        Line(f"djn.b $burn, #{max(period, 2)}", "left", "a whole period, to stay beside the code"),
        Line("jmp.b $scan"),
        Line(dice.bomb(f"#{past - 6}"), "bomb"),
    )
    return Draft("scanner", (f"{_told(period, step)} Burns the stretch from there on.",), lines, "scan")


def flood(dice: Dice, room: int) -> Draft:
    """Draws a scanner that looks until the first difference and floods the core from there (11 cells)."""
    period = dice.period(14)
    step = dice.step(period)
    apart = dice.between(1, 2)
    lines = (
        Line("dat.f #0, #0", "gate", "becomes the pointer of the flood"),
        Line("add.f $pace, $eye", "scan"),
        Line(f"sne.i $9, ${9 + apart}", "eye", "past the code"),
        Line(f"jmp.b $scan, {dice.spare(3)}"),
        Line("mov.ab $eye, $gate"),
        Line(f"add.ab #{2 - dice.between(0, 30)}, $gate", "", "somewhat below the find"),
        Line(f"spl.b #0, {dice.spare(6)}", "more"),
        Line("mov.i $bomb, >gate", "wipe"),
        Line(f"jmp.b $wipe, {dice.spare(8)}"),
        Line("dat.f <-12, #11", "bomb", "as a pointer it starts past the code"),
        Line(f"dat.f #{step}, #{step}", "pace"),
    )
    return Draft("scanner", (f"{_told(period, step)} Floods the core from its first find.",), lines, "scan")


def comparer(dice: Dice, room: int) -> Draft:
    """Draws a scanner that compares cells half a core apart and wipes in the end (14 cells)."""
    period = dice.period(16)
    half = dice.settings.core_size // period // 2 * period
    step = dice.step(period)
    lines = (
        Line("add.f $pace, $eye", "scan"),
        Line(f"sne.i $13, ${13 + half}", "eye"),
        Line(f"djn.b $scan, #{max(1, dice.settings.core_size // period)}", "tell", "equal"),
        Line("jmz.b $wipe, $tell", "", "the pass is over"),
        Line("mov.i $fire, *eye"),
        Line("mov.i $fire, @eye"),
        Line("jmp.b $scan"),
        Line(f"spl.b #0, {dice.spare(7)}", "wipe"),
        Line("mov.i $kill, <kill", "go"),
        Line("jmp.b $go"),
        Line("dat.f #0, #-10", "kill"),
        Line(f"dat.f #{step}, #{step}", "pace"),
        Line(dice.bomb(), "fire"),
    )
    return Draft(
        "scanner", (f"{_told(period, step)} Two looks at once; in the end it wipes.",), lines, "scan"
    )


def _told(period: int, step: int) -> str:
    """Returns the sentence that says where a scanner looks."""
    return (
        f"Looks at every {period} cells, in steps of {step}." if period > 1 else f"Looks in steps of {step}."
    )
