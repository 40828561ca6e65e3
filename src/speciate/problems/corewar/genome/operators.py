"""The table of operators on one genome, and how a child goes through several of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from speciate.problems.corewar.genome.config import OperatorName
from speciate.problems.corewar.genome.genome import Change, Genome
from speciate.problems.corewar.genome.point import (
    change_instruction,
    change_mode,
    change_modifier,
    change_number,
    change_opcode,
)
from speciate.problems.corewar.genome.scope import Scope
from speciate.problems.corewar.genome.structure import change_start, delete, duplicate, insert, move, swap

Operator: TypeAlias = Callable[[Genome, Scope], Change | None]
"""Changes a genome; None if it finds nothing to do. The code stays within the rules' length."""

GENOME_OPERATORS: Final[Mapping[OperatorName, Operator]] = {
    "instruction": change_instruction,
    "opcode": change_opcode,
    "modifier": change_modifier,
    "mode": change_mode,
    "number": change_number,
    "swap": swap,
    "insert": insert,
    "delete": delete,
    "duplicate": duplicate,
    "move": move,
    "start": change_start,
}

MOST_CHANGES: Final = 100
TRIES: Final = 20
"""How many operators may find nothing to do, or change nothing, before it is given up."""


def mutated(genome: Genome, scope: Scope) -> Change | None:
    """Returns a genome that differs from the given one, or None if nothing was found to change.

    As many operators are applied as `GenomeConfig.changes` says, each drawn by its weight.
    """
    wanted = scope.geometric(scope.config.changes, MOST_CHANGES)
    weights = scope.config.operator_weights
    child, said = genome, list[str]()
    for _ in range(wanted + TRIES):
        change = GENOME_OPERATORS[scope.dice.weighted(weights)](child, scope)
        if change is None or change.genome == child:
            continue
        child = change.genome
        said.append(change.summary)
        if len(said) >= wanted and child != genome:
            return Change(child, "; ".join(said))
    return Change(child, "; ".join(said)) if child != genome else None
