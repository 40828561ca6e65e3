"""The archives of an ensemble, scored again in one company and laid on one map."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from speciate.records.axis import Axis
from speciate.records.program import Program, text_hash
from speciate.records.types import Cell, Ordinal, Score


@dataclass(frozen=True, slots=True)
class Elite:
    """An occupant of a node's archives.

    Attributes:
        node: the node's name.
        ordinal: the candidate there.
        program: its source.
    """

    node: str
    ordinal: Ordinal
    program: Program


@dataclass(frozen=True, slots=True)
class NodeElites:
    """What one node brings to a merger.

    Attributes:
        name: the node.
        elites: the occupants of all its islands, each once, by ordinal.
        champion: the champion of its last round, or None if it has none.
    """

    name: str
    elites: tuple[Elite, ...]
    champion: Program | None


@dataclass(frozen=True, slots=True)
class MergedElite:
    """Who holds a cell of the common map.

    Attributes:
        cell: the cell, from descriptors measured in the common company; ``()`` where the task has none.
        node: whose archive it comes from; of equal scores the earlier node's stays.
        ordinal: the candidate there.
        score: its first objective in the common company, higher is better.
        program: its source.
    """

    cell: Cell
    node: str
    ordinal: Ordinal
    score: Score
    program: Program


@dataclass(frozen=True, slots=True)
class Merged:
    """All nodes' archives, scored again in one company: the only scores that may be compared between nodes.

    Attributes:
        pool: identity of the common company (`Context.hash`).
        opponents: how many programs are in it.
        left_out: nodes whose champion had no room in it.
        axes: those of the common map; empty where the task has no descriptors.
        cells: how many cells the map has, or None without axes.
        nodes: each node's archive on the common map: its best of each cell it fills.
        elites: the merged archive: the best of all nodes in each cell, sorted by cell.
        invalid: elites that had no score in the common company, by node.
        evaluations: runs of programs that the merger took; the search did not pay for them.
        reused: elites whose program was scored already.
        source: identity of what was merged, see `source_of`.
    """

    pool: str
    opponents: int
    left_out: tuple[str, ...]
    axes: tuple[Axis, ...]
    cells: int | None
    nodes: Mapping[str, Mapping[Cell, Score]]
    elites: tuple[MergedElite, ...]
    invalid: Mapping[str, int]
    evaluations: int
    reused: int
    source: str

    @property
    def scores(self) -> dict[Cell, Score]:
        """The score of each filled cell of the merged archive, higher is better."""
        return {elite.cell: elite.score for elite in self.elites}

    @property
    def best(self) -> MergedElite | None:
        """The best elite of all, the first one on the map of equals; None of an empty archive."""
        return max(self.elites, key=lambda elite: elite.score, default=None)


def source_of(nodes: Sequence[NodeElites]) -> str:
    """Returns the identity of what is merged: whether a merger on record is of the archives as they are."""
    lines = [f"{node.name} {elite.ordinal} {elite.program.hash}" for node in nodes for elite in node.elites]
    champions = [f"{node.name} {'' if node.champion is None else node.champion.hash}" for node in nodes]
    return text_hash("\n".join([*lines, *champions]))
