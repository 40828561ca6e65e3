"""Code without a plan: instructions drawn one by one."""

from __future__ import annotations

import math

from speciate.problems.corewar.generators.dice import Dice
from speciate.problems.corewar.generators.draft import Draft, Line
from speciate.problems.corewar.instructions import Mode


def scatter(dice: Dice, room: int) -> Draft:
    """Draws instructions from the priors' marginal weights, each independent of the others."""
    prior = dice.priors.code
    length = round(prior.median * math.exp(prior.spread * dice.rng.normal()))
    length = min(max(length, 1), room)
    start = dice.between(0, length - 1)
    lines = tuple(Line(_instruction(dice, length), "start" if i == start else "") for i in range(length))
    return Draft("random", ("Drawn instruction by instruction.",), lines, "start")


def _instruction(dice: Dice, length: int) -> str:
    prior = dice.priors.code
    opcode, modifier = dice.weighted(prior.opcodes), dice.weighted(prior.modifiers)
    a, b = (_operand(dice, length) for _ in range(2))
    return f"{opcode.lower()}.{modifier.lower()} {a}, {b}"


def _operand(dice: Dice, length: int) -> str:
    mode = Mode[dice.weighted(dice.priors.code.modes)]
    near = dice.chance(dice.priors.code.near)
    number = dice.between(-length, length) if near else dice.between(0, dice.settings.core_size - 1)
    return f"{mode.symbol}{number}"
