"""Replicators: they live on in their copies."""

from __future__ import annotations

from speciate.problems.corewar.generators.dice import Dice
from speciate.problems.corewar.generators.draft import Draft, Line


def nomads(dice: Dice, room: int) -> Draft:
    """Draws a paper of few cells that moves on and leaves a bomb (5 cells)."""
    lines = (
        Line("spl.b $1", "start", "2 in step"),
        Line("spl.b $1", "", "4"),
        Line(f"spl.b @0, ${dice.away(8)}", "tent", "the copy runs before it is there"),
        Line("mov.i }tent, >tent"),
        Line(f"mov.i $1, {dice.one(('<', '{', '>', '}'))}tent"),
    )
    return Draft("replicator", ("Four processes carry their code from place to place.",), lines, "start")


def sower(dice: Dice, room: int) -> Draft:
    """Draws a single process that copies itself and starts the copy, over and over (8 cells)."""
    far, step = dice.away(16), dice.step(1)
    lines = (
        Line("nop.f #0, #0", "plant", "A: where the next cell goes, B: cells left"),
        Line("mov.f $where, $plant", "begin"),
        Line("mov.i <plant, {plant", "copy"),
        Line("jmn.b $copy, $plant"),
        Line("spl.b *plant", "", "starts the copy"),
        Line(f"add.a #{step}, $where"),
        Line("jmp.b $begin"),
        Line(f"dat.f #{far + 8}, #8", "where"),
    )
    return Draft("replicator", (f"Sows copies of itself, each {step} cells further on.",), lines, "begin")


def silk_possible(dice: Dice, room: int) -> bool:
    """Returns whether `silk` can be drawn."""
    return bool(_doublings(dice, room))


def silk(dice: Dice, room: int) -> Draft:
    """Draws processes in step that start each copy before they make it (from 3 + 3 cells on)."""
    doublings = dice.weighted(_doublings(dice, room))
    cells = 2**doublings
    body = _body(dice, cells, min(cells, room - doublings))
    lines = (
        *(Line("spl.b $1", "start" if i == 0 else "", f"{2 ** (i + 1)} in step") for i in range(doublings)),
        *body,
    )
    told = f"{cells} processes in step; each copies one cell of every copy."
    return Draft("replicator", (told,), lines, "start")


def _doublings(dice: Dice, room: int) -> dict[int, float]:
    """Returns the numbers of SPLs whose processes can copy a body that fits, with their weights."""
    return {
        times: weight for times, weight in dice.priors.doublings.items() if weight > 0 and times + 4 <= room
    }


def _body(dice: Dice, cells: int, room: int) -> tuple[Line, ...]:
    """Returns what is copied: 4 to `room` instructions, never more than there are processes to copy them."""
    lines = [Line(f"spl.b @0, ${dice.away(2 * cells)}", "leaf"), Line("mov.i }leaf, >leaf", "", "up")]
    end = [
        Line("mov.i {leaf, {next", "", "a second copy, from the last cell down"),
        Line(f"jmp.b ${dice.away(2 * cells) + cells}, {dice.spare(cells)}", "next"),
    ]
    if room >= 6 and dice.chance(0.5):
        lines += [Line(f"spl.b @0, ${dice.away(2 * cells)}", "stem"), Line("mov.i }stem, >stem")]
    if len(lines) + len(end) + 2 <= room and dice.chance(0.7):
        bombs = dice.one((">", "}", "<", "{"))
        lines += [Line(f"mov.i $drop, {bombs}drop", "", "a row of bombs")]
        sign = dice.one((1, -1))
        end += [Line(f"dat.f <{sign * dice.between(2, 60)}, <{sign * dice.between(2, 60)}", "drop")]
    return (*lines, *end)
