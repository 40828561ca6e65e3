"""What can be put around a finished warrior: decoys, a boot, a quick scan, a companion."""

from __future__ import annotations

from dataclasses import replace

from speciate.problems.corewar.generators.dice import Dice
from speciate.problems.corewar.generators.draft import Draft, Line

_BOOT = 5
_SCAN = 9
"""Cells of a boot, and of a quick scan without its looks."""


def dressed(draft: Draft, dice: Dice, room: int) -> Draft:
    """Returns the draft with the extras that the priors and the room allow."""
    extras = dice.priors.extras
    if len(draft) + _BOOT <= room and dice.chance(extras.boot):
        draft = booted(draft, dice)
    looks = min(extras.looks, (room - len(draft) - _SCAN) // 2)
    # Looks lie outside the code only if the core is wide enough for them.
    if looks >= 1 and dice.settings.core_size >= 10 * room and dice.chance(extras.quickscan):
        draft = scouted(draft, dice, dice.between(1, looks))
    spare = min(extras.most_decoys, room - len(draft))
    if spare >= 1 and dice.chance(extras.decoys):
        draft = baited(draft, dice, dice.between(1, spare))
    return draft


def booted(draft: Draft, dice: Dice) -> Draft:
    """Returns a draft that first carries itself away and runs there."""
    cells = len(draft)
    far = dice.away(2 * (cells + _BOOT))
    before = (
        Line(f"dat.f #0, #{_BOOT + cells}", "from", "one past the last cell to carry"),
        Line(f"dat.f #0, #{_BOOT - 1 + cells + far}", "to"),
        Line("mov.i <from, <to", "carry"),
        Line(f"djn.b $carry, #{cells}"),
        Line(f"jmp.b ${draft.start}+{far}"),
    )
    return draft.framed(before, told=f"First carries itself {far} cells away.", start="carry")


def scouted(draft: Draft, dice: Dice, looks: int) -> Draft:
    """Returns a draft that first compares pairs of far cells and bombs around what it finds."""
    gap = dice.settings.core_size // (looks + 2)
    half = max(1, gap // 2)
    scan = [
        line
        for k in range(1, looks + 1)
        for line in (
            Line(f"seq.i $look+{k * gap}, $look+{k * gap + half}", "look" if k == 1 else ""),
            Line(f"mov.ab #look+{k * gap}-spot, $spot"),
        )
    ]
    strike = [
        Line(f"jmz.b ${draft.start}, $spot", "", "nobody seen"),
        Line("jmn.f $hit, @spot"),
        Line(f"add.ab #{half}, $spot", "", "then it is the other of the two"),
        Line("mov.i $dart, @spot", "hit"),
        Line(f"sub.ab #{dice.between(2, 5)}, $spot"),
        Line(f"djn.b $hit, #{dice.between(4, 20)}"),
        Line(f"jmp.b ${draft.start}"),
        Line(dice.bomb(), "dart"),
        Line("dat.f #0, #0", "spot"),
    ]
    return draft.framed(
        (*scan, *strike), told=f"Before that, {looks} quick looks at pairs of cells.", start="look"
    )


def baited(draft: Draft, dice: Dice, cells: int) -> Draft:
    """Returns a draft with cells at its end that do nothing but draw fire."""
    bait = tuple(
        Line(f"{dice.one(('dat.f', 'nop.x', 'jmp.ba'))} #{dice.between(1, 99)}, #{-dice.between(1, 99)}")
        for _ in range(cells)
    )
    return draft.framed((), bait, told=f"{cells} cells at the end are bait.")


def together(first: Draft, second: Draft) -> Draft:
    """Returns both as one warrior that runs them from the first cycle on (one cell more than both have)."""
    one, two = first.relabelled("1"), second.relabelled("2")
    both = replace(one, family="hybrid", strategy=(*one.strategy, *two.strategy))
    fork = Line(f"spl.b ${two.start}", "fork", "both at once")
    jump = () if one.lines[0].label == one.start else (Line(f"jmp.b ${one.start}"),)
    return both.framed(
        (fork, *jump), two.lines, told=f"A {first.family} and a {second.family} side by side.", start="fork"
    )
