"""Operators on one instruction."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from speciate.problems.corewar.genome.alphabet import (
    drawn_instruction,
    other_mode,
    other_modifier,
    with_opcode,
)
from speciate.problems.corewar.genome.genome import Change, Genome
from speciate.problems.corewar.genome.numbers import changed_number
from speciate.problems.corewar.genome.scope import Scope
from speciate.problems.corewar.instructions import Instruction


def change_instruction(genome: Genome, scope: Scope) -> Change:
    """Replaces an instruction by a drawn one."""
    return _at_one_place(genome, scope, lambda at, old: drawn_instruction(at, len(genome), scope), "replaced")


def change_opcode(genome: Genome, scope: Scope) -> Change:
    """Gives an instruction another opcode."""
    return _at_one_place(genome, scope, lambda at, old: with_opcode(old, scope), "opcode of")


def change_modifier(genome: Genome, scope: Scope) -> Change:
    """Gives an instruction another modifier."""

    def changed(at: int, old: Instruction) -> Instruction:
        return replace(old, modifier=other_modifier(old.modifier, scope))

    return _at_one_place(genome, scope, changed, "modifier of")


def change_mode(genome: Genome, scope: Scope) -> Change:
    """Gives one field of an instruction another mode."""

    def changed(at: int, old: Instruction) -> Instruction:
        if scope.dice.chance(0.5):
            return replace(old, a_mode=other_mode(old.a_mode, scope))
        return replace(old, b_mode=other_mode(old.b_mode, scope))

    return _at_one_place(genome, scope, changed, "mode of")


def change_number(genome: Genome, scope: Scope) -> Change:
    """Changes one number of an instruction."""

    def changed(at: int, old: Instruction) -> Instruction:
        if scope.dice.chance(0.5):
            return replace(old, a=changed_number(genome, at, old.a, scope))
        return replace(old, b=changed_number(genome, at, old.b, scope))

    return _at_one_place(genome, scope, changed, "number of")


def _at_one_place(
    genome: Genome,
    scope: Scope,
    changed: Callable[[int, Instruction], Instruction],
    what: str,
) -> Change:
    at = scope.dice.between(0, len(genome) - 1)
    old = genome.code[at]
    new = changed(at, old)
    return Change(
        genome.put(at, new), f"{what} {at}: {old.text(scope.core_size)} -> {new.text(scope.core_size)}"
    )
