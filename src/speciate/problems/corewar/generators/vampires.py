"""Vampires: their bombs are jumps that lead the enemy where they want it."""

from __future__ import annotations

from speciate.problems.corewar.generators.dice import Dice
from speciate.problems.corewar.generators.draft import Draft, Line


def press_gang(dice: Dice, room: int) -> Draft:
    """Draws fangs that lead to the thrower: captives throw for their captor (5 cells)."""
    period = dice.period(5)
    step = dice.step(period)
    lines = (
        Line("mov.i $fang, @fang", "throw"),
        Line("add.f $pace, $fang"),
        Line(f"jmp.b $throw, {dice.spare(2)}"),
        Line(f"jmp.b $throw-{step}, ${step}", "fang", "whoever runs it throws for us"),
        Line(f"dat.f #{-step}, #{step}", "pace"),
    )
    told = f"Sets traps every {period} cells, in steps of {step}; captives must set more of them."
    return Draft("vampire", (told,), lines, "throw")


def pit(dice: Dice, room: int) -> Draft:
    """Draws fangs that lead into a pit where captives split for ever; a wipe ends it (10 cells)."""
    period = dice.period(10)
    step = dice.step(period)
    throws = max(1, dice.settings.core_size // period - 1)
    lines = (
        Line("mov.i $fang, @fang", "throw"),
        Line("add.f $pace, $fang"),
        Line(f"djn.b $throw, #{throws}"),
        Line("mov.i $kill, <kill", "wipe", "takes the pit last"),
        Line(f"jmp.b $wipe, {dice.spare(4)}"),
        Line("dat.f #0, #-5", "kill"),
        Line(f"dat.f #{-step}, #{step}", "pace"),
        Line(f"jmp.b $pit-{step + 2}, ${step + 2}", "fang"),
        Line(dice.one(("spl.b #0, $0", "spl.b $0, $0")), "pit"),
        Line("jmp.b $pit"),
    )
    told = f"Sets traps every {period} cells, in steps of {step}; captives split in a pit until it is wiped."
    return Draft("vampire", (told,), lines, "throw")


def labour(dice: Dice, room: int) -> Draft:
    """Draws fangs that lead into a sweep: captives wipe the core (8 cells)."""
    period = dice.period(9)
    step = dice.step(period)
    aim = step + dice.between(4, max(4, period - 5))
    lines = (
        Line("mov.i $fang, @fang", "throw"),
        Line("add.f $pace, $fang"),
        Line("jmp.b $throw"),
        Line(f"dat.f #{-step}, #{step}", "pace"),
        Line(f"jmp.b $pit-{aim}, ${aim}", "fang"),
        Line("mov.i $kill, <kill", "pit"),
        Line("jmp.b $pit"),
        Line("dat.f #0, #-7", "kill"),
    )
    told = f"Sets traps every {period} cells, in steps of {step}; captives sweep the core."
    return Draft("vampire", (told,), lines, "throw")
