"""Bombers: they throw cells over the core in steps."""

from __future__ import annotations

from speciate.problems.corewar.generators.dice import Dice
from speciate.problems.corewar.generators.draft import Draft, Line


def thrower(dice: Dice, room: int) -> Draft:
    """Draws a loop that throws its own pointer (4 cells)."""
    period = dice.period(4)
    step = dice.step(period)
    lines = (
        Line("mov.i $bomb, @bomb", "throw"),
        Line(f"add.ab #{step}, $bomb"),
        Line(f"jmp.b $throw, {dice.spare(2)}"),
        Line(dice.bomb(f"#{step}"), "bomb", "the bomb is also the pointer"),
    )
    return Draft("bomber", (_told(period, step),), lines, "throw")


def crowd(dice: Dice, room: int) -> Draft:
    """Draws a thrower that many processes run (5 cells)."""
    single = thrower(dice, room - 1)
    more = Line(f"spl.b #0, {dice.spare(0)}", "more")
    return single.framed((more,), told="More and more processes throw.", start="more")


def pair(dice: Dice, room: int) -> Draft:
    """Draws a loop that throws two bombs, one up and one down (7 cells)."""
    period = dice.period(8)
    step = dice.step(period)
    past = dice.between(7, max(7, period - 1))  # a cell of the period that is not the code's
    lines = (
        Line("mov.i $bomb, *aim", "throw"),
        Line("mov.i $bomb, @aim"),
        Line("add.f $pace, $aim"),
        Line(f"jmp.b $throw, {dice.spare(3)}"),
        Line(f"dat.f #{-step}, #{step}", "pace"),
        Line(f"dat.f #{past - 5 - period}, #{past - 5}", "aim", "beside the code"),
        Line(dice.bomb(dice.one(("#0", "<-5", "<-11"))), "bomb"),
    )
    return Draft("bomber", (_told(period, step), "Two bombs a loop, in opposite directions."), lines, "throw")


def burner(dice: Dice, room: int) -> Draft:
    """Draws one pass of stunning bombs and a wipe after it (8 cells)."""
    period = dice.period(8)
    step = dice.step(period)
    throws = max(1, dice.settings.core_size // period - 1)
    lines = (
        Line("mov.i $fire, @aim", "throw"),
        Line(f"add.ab #{step}, $aim"),
        Line(f"djn.b $throw, #{throws}", "", "all but our own cells"),
        Line("mov.i $kill, <kill", "wipe"),
        Line(f"jmp.b $wipe, {dice.spare(4)}"),
        Line("dat.f #0, #-5", "kill"),
        Line(f"dat.f #0, #{step + 1}", "aim"),
        Line(dice.one(("spl.b #0, #0", "spl.b #0, $1", "spl.b $0, <-3")), "fire"),
    )
    return Draft("bomber", (_told(period, step), "Stuns in one pass, then wipes."), lines, "throw")


def _told(period: int, step: int) -> str:
    """Returns the sentence that says how a bomber goes through the core."""
    return f"Bombs every {period} cells, in steps of {step}." if period > 1 else f"Bombs in steps of {step}."
