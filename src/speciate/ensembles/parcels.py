"""What a node says of itself when a round ends."""

from __future__ import annotations

import json
import time

from speciate.engine import Run
from speciate.ensembles.messages import Announcement, Parcel, encode, pack, read_announcement
from speciate.records import Cell, Ordinal, Score, Seconds, TextHash, text_hash


def champion_parcel(run: Run, round: int, now: Seconds | None) -> Parcel:
    """Returns what is sent after a round.

    Args:
        run: the node.
        round: the round that ended last.
        now: virtual time, or None on the wall clock.
    """
    joined, champion = run.state.peers.joined, run.state.champions[round]
    if joined is None:
        raise ValueError("the run has not joined an ensemble")
    announcement = Announcement(
        ensemble=joined.ensemble,
        task=run.task.name,
        node=joined.node,
        incarnation=joined.incarnation,
        round=round,
        proposer=", ".join(run.state.proposers)[:500],
        fitness=None if champion is None else _fitness(run, champion),
        cell=None if champion is None else _cell_of(run, champion),
        cells=filled_cells(run),
        map=map_of(run),
        at=time.time() if now is None else now,
    )
    return pack(announcement, None if champion is None else run.library.program(champion))


def sent_before(run: Run, announced: TextHash) -> Parcel:
    """Returns what was sent in an earlier session, by the hash of its announcement."""
    head = run.store.text(announced).encode()
    announcement = read_announcement(head)
    body = encode(run.journal.read_program(announcement.files)) if announcement.files else b""
    return Parcel(announcement, head, body)


def filled_cells(run: Run) -> tuple[Cell, ...]:
    """Returns the cells that some island fills, sorted; empty for archives without cells."""
    population = run.state.population
    found = {
        cell
        for island in range(population.islands)
        for cell in population.columns(island).cells
        if cell is not None
    }
    return tuple(sorted(found))


def map_of(run: Run) -> str:
    """Returns a digest of the names of the axes and of the cells over them; empty without cells.

    Nodes may have axes of their own: equal cells mean the same only where digests are equal.
    """
    layout = run.state.population.archive(0).layout
    names = [descriptor.name for descriptor in run.task.spec.descriptors]
    return text_hash(json.dumps([names, layout]))[:16] if layout else ""


def _fitness(run: Run, champion: Ordinal) -> Score | None:
    fitness = run.standing(champion).outcome.fitness
    return None if fitness is None else fitness[0]


def _cell_of(run: Run, ordinal: Ordinal) -> Cell | None:
    """Returns the cell in which a candidate lives, or None if it lives in none."""
    population = run.state.population
    cells = (population.cell_of(ordinal, island) for island in population.islands_of(ordinal))
    return next(cells, None)
