"""Champions of other nodes: candidates that another run proposed, scored and placed here."""

from __future__ import annotations

from dataclasses import replace

from speciate.archives import Placements
from speciate.engine.run import Run
from speciate.records import RECEIVED, Choice, Placement, PlacementKind, Received
from speciate.seeds import stream

PEER = "peer:"
"""Proposers of received champions are named after their node: ``peer:n2``."""


def guest_choice(run: Run, received: Received) -> Choice:
    """Returns the choice of a received champion; its island is drawn."""
    state = run.state
    rng = stream(run.config.seed, state.issued, "receive", epoch=state.epoch)
    island = int(rng.integers(state.population.islands))
    return Choice(
        state.issued, state.epoch, state.closed, island, RECEIVED, proposer=PEER + received.node, parents=()
    )


def as_guest(run: Run, placements: Placements) -> Placements:
    """Returns how the archives take a peer's champion, given how they would take any candidate.

    With ``ensemble.seeding = "empty"``, as in DEI, it settles in a cell that nobody filled before this drain.
    Of two champions of one drain that want the same cell, the better one stays.
    """
    if run.config.ensemble.seeding != "empty":
        return placements
    eve = run.state.peers.eve
    return tuple((island, _settled(placement, eve)) for island, placement in placements)


def _settled(placement: Placement, eve: int) -> Placement:
    displaces = placement.cell is not None and any(ordinal <= eve for ordinal in placement.evicted)
    return replace(placement, kind=PlacementKind.NOT_KEPT, evicted=()) if displaces else placement
