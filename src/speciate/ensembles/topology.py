"""To whom a node listens."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from speciate.engine import TopologyConfig
from speciate.records import Cell
from speciate.seeds import stream


def decide_links(
    config: TopologyConfig, me: str, members: Sequence[str], *, seed: int, round: int
) -> tuple[str, ...]:
    """Says whose announcements a node wants after a round, sorted by name.

    With ``adaptive`` it wants everybody's: what it then takes is for `complements` to say.

    Args:
        config: the kind of topology.
        me: the node.
        members: the names of all nodes, sorted.
        seed: the node's seed.
        round: its round.
    """
    others = [name for name in members if name != me]
    match config.kind:
        case "all" | "adaptive":
            return tuple(others)
        case "ring":
            return _neighbours(me, sorted({*members, me}))
        case "random":
            rng = stream(seed, round, "links")
            drawn = rng.permutation(len(others))[: config.links]
            return tuple(sorted(others[index] for index in drawn))


def _neighbours(me: str, ring: Sequence[str]) -> tuple[str, ...]:
    place = ring.index(me)
    return tuple(sorted({ring[place - 1], ring[(place + 1) % len(ring)]} - {me}))


def complements(
    config: TopologyConfig,
    own: Collection[Cell],
    peers: Mapping[str, Collection[Cell]],
    *,
    seed: int,
    round: int,
) -> tuple[str, ...]:
    """Says which peers complement an archive most: those that fill most cells which it leaves empty.

    Args:
        config: how many.
        own: the cells that this node fills.
        peers: the cells that each other node said it fills.
        seed: the node's seed: equals are drawn from, so that not everybody listens to the same few.
        round: its round.

    Returns:
        `config.links` names at most, sorted.
    """
    mine = set(own)
    rng = stream(seed, round, "links")
    names = sorted(peers)
    gains = np.array([len(set(peers[name]) - mine) for name in names])
    order = np.lexsort((rng.random(len(names)), -gains))
    return tuple(sorted(names[index] for index in order[: config.links]))
