"""The table of genetic operators: which there are, for what, and how often each is used."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from speciate.mutation.genetic import crossover, expressions, lines, numbers, statements
from speciate.mutation.genetic.edits import Change
from speciate.mutation.genetic.sites import Sites

Mutate: TypeAlias = Callable[[Sites, np.random.Generator, float], Change | None]
"""Changes one program with a step size; None if it finds nothing to do."""

Cross: TypeAlias = Callable[[Sites, Sites, np.random.Generator], Change | None]
"""Changes the first program with the help of the second; None if it finds nothing to do."""


@dataclass(frozen=True, slots=True)
class Mutation:
    """An operator on one program, its share, and whether it works on lines of any language too."""

    change: Mutate
    weight: float
    lines: bool = False


@dataclass(frozen=True, slots=True)
class Crossing:
    """An operator on two programs, and its share among those that work on the language."""

    change: Cross
    weight: float
    python: bool = True
    lines: bool = False


NUMBERS: Mutate = numbers.number_step

STRUCTURE: tuple[Mutation, ...] = (
    Mutation(expressions.symbol_change, 2.0, lines=True),
    Mutation(expressions.subexpression_copy, 3.0),
    Mutation(expressions.wrap, 1.5),
    Mutation(expressions.unwrap, 1.5),
    Mutation(expressions.name_change, 1.0),
    Mutation(expressions.bound_change, 0.5),
    Mutation(statements.swap, 1.0, lines=True),
    Mutation(statements.delete, 1.0, lines=True),
    Mutation(statements.copy, 1.0, lines=True),
    Mutation(statements.repeat, 0.5),
    Mutation(statements.guard, 0.5),
    Mutation(statements.unnest, 0.5),
)

CROSSINGS: tuple[Crossing, ...] = (
    Crossing(crossover.blend, 6.0, lines=True),
    Crossing(crossover.exchange, 2.0),
    Crossing(crossover.transplant, 2.0),
    Crossing(lines.take_lines, 4.0, python=False, lines=True),
)
