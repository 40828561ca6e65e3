"""To whom a node listens."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

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
    peers: Mapping[str, Collection[Cell] | None],
    *,
    seed: int,
    round: int,
) -> tuple[str, ...]:
    """Says which peers complement an archive most: those that fill most cells which it leaves empty.

    Of peers whose cells are unknown, because their map is another one, nothing can be said: they are listened
    to as often as if all links were drawn by chance, and the other links go to the known ones.

    Args:
        config: how many.
        own: the cells that this node fills.
        peers: the cells that each other node said it fills, or None where that is unknown.
        seed: the node's seed: equals are drawn from, so that not everybody listens to the same few.
        round: its round.

    Returns:
        `config.links` names at most, sorted.
    """
    mine = set(own)
    rng = stream(seed, round, "links")
    names = sorted(peers)
    lots = dict(zip(names, rng.random(len(names)), strict=True))
    drawn = sorted(names, key=lots.__getitem__)[: config.links]
    unknown = [name for name in drawn if peers[name] is None]
    gains = {name: len(set(cells) - mine) for name, cells in peers.items() if cells is not None}
    known = sorted(gains, key=lambda name: (-gains[name], lots[name]))
    return tuple(sorted([*unknown, *known[: config.links - len(unknown)]]))
