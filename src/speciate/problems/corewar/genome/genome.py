"""What the operators work on: assembled code, and where it starts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from speciate.problems.corewar.instructions import Instruction, Mode

Origin: TypeAlias = tuple[int, int]
"""Where a cell stood before an operator moved it: number of the parent, and offset in its code."""


@dataclass(frozen=True, slots=True)
class Genome:
    """Code as a core holds it.

    Attributes:
        code: at least one instruction; numbers lie in [0, core size).
        start: offset of the first one to run.
    """

    code: tuple[Instruction, ...]
    start: int = 0

    def __len__(self) -> int:
        return len(self.code)

    def put(self, index: int, instruction: Instruction) -> Genome:
        """Returns a copy with another instruction at `index`."""
        return replace(self, code=(*self.code[:index], instruction, *self.code[index + 1 :]))


@dataclass(frozen=True, slots=True)
class Change:
    """What an operator made.

    Attributes:
        genome: the new code.
        summary: a few words on what is different.
    """

    genome: Genome
    summary: str


@dataclass(frozen=True, slots=True)
class Cell:
    """An instruction that is about to be laid out, and where it stood before (None if it is new)."""

    instruction: Instruction
    origin: Origin | None = None


def cells(genome: Genome, parent: int = 0) -> list[Cell]:
    """Returns a genome's cells with their origins; `parent` is its number among the parents."""
    return [Cell(instruction, (parent, at)) for at, instruction in enumerate(genome.code)]


def laid_out(plan: Sequence[Cell], parents: Sequence[Genome], core_size: int, *, mend: bool) -> Genome:
    """Returns the genome whose code is `plan`, started where the first parent's start has gone.

    Args:
        plan: the cells in their new order, at least one.
        parents: the genomes that origins refer to.
        core_size: cells of the core.
        mend: whether numbers that point at a cell of the same parent go on pointing at it where it is still
            there (at the nearest copy if there are several). Otherwise all numbers stay as they are.
    """
    places = _places(plan)
    code = tuple(cell.instruction for cell in plan)
    if mend:
        code = tuple(_mended(cell, at, places, parents, core_size) for at, cell in enumerate(plan))
    return Genome(code, _start(parents[0], places))


def _places(plan: Sequence[Cell]) -> Mapping[Origin, list[int]]:
    places: dict[Origin, list[int]] = {}
    for at, cell in enumerate(plan):
        if cell.origin is not None:
            places.setdefault(cell.origin, []).append(at)
    return places


def _mended(
    cell: Cell, at: int, places: Mapping[Origin, list[int]], parents: Sequence[Genome], core_size: int
) -> Instruction:
    if cell.origin is None:
        return cell.instruction
    parent, before = cell.origin

    def moved(mode: Mode, number: int) -> int:
        target = (before + number) % core_size
        there = places.get((parent, target)) if mode is not Mode.IMMEDIATE else None
        return (min(there, key=lambda place: abs(place - at)) - at) % core_size if there else number

    old = cell.instruction
    return replace(old, a=moved(old.a_mode, old.a), b=moved(old.b_mode, old.b))


def _start(first: Genome, places: Mapping[Origin, list[int]]) -> int:
    """Returns where the first parent's start is now, or the next of its instructions that is still there."""
    for at in (*range(first.start, len(first)), *range(first.start)):
        if there := places.get((0, at)):
            return there[0]
    return 0
