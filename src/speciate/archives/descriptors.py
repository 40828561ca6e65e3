"""How well a set of members fills behaviour space."""

from __future__ import annotations

import math
from collections.abc import Iterable

from speciate.records import Cell, Member


def coverage(filled: int, cells: int) -> float:
    """Returns the share of cells that are filled, 0 to 1.

    Raises:
        ValueError: there are no cells, or fewer than are filled.
    """
    if not 0 <= filled <= cells or not cells:
        raise ValueError(f"{filled} of {cells} cells cannot be filled")
    return filled / cells


def qd_score(members: Iterable[Member], offset: float = 0.0) -> float:
    """Returns the QD-Score Σ(F − offset) over the first objectives (Pugh 2016).

    Args:
        members: one a cell.
        offset: a score no member falls below, so that filling a cell never lowers the sum; higher is better.
    """
    scores = [member.fitness[0] for member in members]
    try:
        return math.fsum(score - offset for score in scores)
    except OverflowError:  # a sum beyond 1.8e308 is infinite, not an error; 2^-64 leaves room for the parts
        return math.fsum(score * 2.0**-64 - offset * 2.0**-64 for score in scores) * 2.0**64


def best_by_cell(placed: Iterable[tuple[Cell, Member]]) -> dict[Cell, Member]:
    """Returns the best member of each cell: by first objective, then the smaller ordinal."""
    best: dict[Cell, Member] = {}
    for cell, member in placed:
        other = best.get(cell)
        if other is None or (-member.fitness[0], member.ordinal) < (-other.fitness[0], other.ordinal):
            best[cell] = member
    return best
