"""Instructions drawn one by one, by the priors of a mind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from speciate.problems.corewar.genome.numbers import drawn_number
from speciate.problems.corewar.genome.scope import Scope
from speciate.problems.corewar.instructions import Instruction, Mode, Modifier, Opcode
from speciate.problems.corewar.redcode.defaults import default_modifier


def drawn_instruction(at: int, length: int, scope: Scope) -> Instruction:
    """Draws an instruction for place `at` of code of the given length."""
    opcode = Opcode[scope.dice.weighted(scope.dice.priors.code.opcodes)]
    a_mode, b_mode = (Mode[scope.dice.weighted(scope.dice.priors.code.modes)] for _ in range(2))
    a, b = (drawn_number(at, length, scope) for _ in range(2))
    return Instruction(opcode, _drawn_modifier(opcode, a_mode, b_mode, scope), a_mode, a, b_mode, b)


def with_opcode(old: Instruction, scope: Scope) -> Instruction:
    """Returns an instruction with another opcode, and a modifier that suits it if the old one did."""
    opcode = Opcode[_other(scope.dice.priors.code.opcodes, old.opcode.name, tuple(Opcode.__members__), scope)]
    usual = old.modifier is default_modifier(old.opcode, old.a_mode, old.b_mode)
    modifier = _drawn_modifier(opcode, old.a_mode, old.b_mode, scope) if usual else old.modifier
    return replace(old, opcode=opcode, modifier=modifier)


def other_modifier(old: Modifier, scope: Scope) -> Modifier:
    """Draws a modifier that is not the old one."""
    return Modifier[_other(scope.dice.priors.code.modifiers, old.name, tuple(Modifier.__members__), scope)]


def other_mode(old: Mode, scope: Scope) -> Mode:
    """Draws a mode that is not the old one."""
    return Mode[_other(scope.dice.priors.code.modes, old.name, tuple(Mode.__members__), scope)]


def _drawn_modifier(opcode: Opcode, a_mode: Mode, b_mode: Mode, scope: Scope) -> Modifier:
    if scope.dice.chance(scope.config.usual):
        return default_modifier(opcode, a_mode, b_mode)
    return Modifier[scope.dice.weighted(scope.dice.priors.code.modifiers)]


def _other(weights: Mapping[str, float], old: str, everything: tuple[str, ...], scope: Scope) -> str:
    """Draws a name that is not `old`: by weight or, if the priors know of no other, any of `everything`."""
    others = {name: weight for name, weight in weights.items() if name != old and weight > 0}
    return scope.dice.weighted(others or {name: 1.0 for name in everything if name != old})
