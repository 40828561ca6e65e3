"""Which of the champions announced a node takes, and in which order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence

from speciate.engine import SharingConfig
from speciate.ensembles.messages import Announcement
from speciate.records import Cell, MessageId


def decide_wanted(
    config: SharingConfig,
    announced: Sequence[Announcement],
    filled: Collection[Cell],
    *,
    round: int,
    map: str,
) -> tuple[MessageId, ...]:
    """Says which programs to fetch, the first first.

    A champion whose cell cannot be said, because its sender's map is another one, may open a cell like any
    other: it is wanted, and stands beside those of cells that nobody else announced.

    Args:
        config: the policy.
        announced: what has arrived and is listened to, in the order of arrival.
        filled: the cells that this node fills.
        round: the own round.
        map: the own map, see `Announcement.map`.
    """
    mine = set(filled)
    offered = [
        each
        for each in announced
        if each.files
        and (config.rounds == "all" or each.round == round)
        and (config.only == "all" or each.cell_on(map) not in mine)
    ]
    return _within(config, sorted(offered, key=_order(config, offered, mine, map)))


def _order(
    config: SharingConfig, offered: Sequence[Announcement], mine: Collection[Cell], map: str
) -> Callable[[Announcement], tuple[float, ...]]:
    if config.order == "oldest":
        return lambda each: ()
    if config.order == "quality":
        return lambda each: (-(each.fitness if each.fitness is not None else float("-inf")),)
    crowd = Counter(cell for each in offered if (cell := each.cell_on(map)) is not None)
    return lambda each: (float((cell := each.cell_on(map)) in mine), crowd[cell] if cell is not None else 1.0)


def _within(config: SharingConfig, offered: Sequence[Announcement]) -> tuple[MessageId, ...]:
    """Keeps the first of them that fit: one too large leaves its room to smaller ones behind it."""
    taken: list[MessageId] = []
    left = config.bytes
    for each in offered:
        if config.most is not None and len(taken) >= config.most:
            break
        if left is not None and each.size > left:
            continue
        left = None if left is None else left - each.size
        taken.append(each.id)
    return tuple(taken)
