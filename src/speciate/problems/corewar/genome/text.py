"""From a warrior to a genome, and to source text: remarks are kept, the rest becomes a load file."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from speciate.problems.corewar.genome.genome import Genome
from speciate.problems.corewar.warrior import Warrior

MOST_LINES: Final = 8
LONGEST_LINE: Final = 200
"""Bounds on the remarks that children inherit: models write whole essays."""


def genome_of(warrior: Warrior) -> Genome:
    """Returns a warrior's code and start."""
    return Genome(warrior.code, warrior.start)


def write(genome: Genome, parent: Warrior) -> str:
    """Returns the source of a child: name, author and strategy of its parent, and its own load file, which
    holds for the core it was made for.

    Args:
        genome: the child's code.
        parent: whose remarks and P-space number it inherits.
    """
    remarks = [("name", parent.name), ("author", parent.author)]
    remarks += [("strategy", line) for line in parent.strategy[:MOST_LINES]]
    head = [f";{word} {_one_line(text)}".rstrip() for word, text in remarks if text.strip()]
    head.append(f";assert CORESIZE == {parent.core_size}")
    child = replace(parent, code=genome.code, start=genome.start)
    return "\n".join([*head, child.listing()])


def _one_line(text: str) -> str:
    return " ".join(text.split())[:LONGEST_LINE]
