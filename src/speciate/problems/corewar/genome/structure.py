"""Operators on the order and number of instructions."""

from __future__ import annotations

from dataclasses import replace

from speciate.problems.corewar.genome.alphabet import drawn_instruction
from speciate.problems.corewar.genome.genome import Cell, Change, Genome, cells, laid_out
from speciate.problems.corewar.genome.scope import Scope


def swap(genome: Genome, scope: Scope) -> Change | None:
    """Lets two instructions change places."""
    if len(genome) < 2:
        return None
    first, second = sorted(int(at) for at in scope.dice.rng.choice(len(genome), size=2, replace=False))
    plan = cells(genome)
    plan[first], plan[second] = plan[second], plan[first]
    return _laid(plan, genome, scope, f"swapped {first} and {second}")


def insert(genome: Genome, scope: Scope) -> Change | None:
    """Puts a drawn instruction between two others, or at an end."""
    if len(genome) >= scope.max_length:
        return None
    at = scope.dice.between(0, len(genome))
    new = drawn_instruction(at, len(genome) + 1, scope)
    plan = cells(genome)
    plan.insert(at, Cell(new))
    return _laid(plan, genome, scope, f"inserted {new.text(scope.core_size)} at {at}")


def delete(genome: Genome, scope: Scope) -> Change | None:
    """Takes a segment out; at least one instruction stays."""
    if len(genome) < 2:
        return None
    first, after = scope.segment(len(genome), len(genome) - 1)
    plan = cells(genome)
    del plan[first:after]
    return _laid(plan, genome, scope, f"deleted {_span(first, after)}")


def duplicate(genome: Genome, scope: Scope) -> Change | None:
    """Copies a segment to another place."""
    room = scope.max_length - len(genome)
    if room < 1:
        return None
    first, after = scope.segment(len(genome), room)
    at = scope.dice.between(0, len(genome))
    plan = cells(genome)
    plan[at:at] = plan[first:after]
    return _laid(plan, genome, scope, f"copied {_span(first, after)} to {at}")


def move(genome: Genome, scope: Scope) -> Change | None:
    """Moves a segment to another place."""
    if len(genome) < 2:
        return None
    first, after = scope.segment(len(genome), len(genome) - 1)
    plan = cells(genome)
    moved = plan[first:after]
    del plan[first:after]
    at = scope.dice.between(0, len(plan))
    plan[at:at] = moved
    return _laid(plan, genome, scope, f"moved {_span(first, after)} to {at}")


def change_start(genome: Genome, scope: Scope) -> Change | None:
    """Lets another instruction run first."""
    others = [at for at in range(len(genome)) if at != genome.start]
    if not others:
        return None
    start = scope.dice.one(others)
    return Change(replace(genome, start=start), f"starts at {start}, not at {genome.start}")


def _laid(plan: list[Cell], genome: Genome, scope: Scope, summary: str) -> Change:
    mend = scope.dice.chance(scope.config.mend)
    return Change(laid_out(plan, [genome], scope.core_size, mend=mend), summary)


def _span(first: int, after: int) -> str:
    return str(first) if after == first + 1 else f"{first} to {after - 1}"
