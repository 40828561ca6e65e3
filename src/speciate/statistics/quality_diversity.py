"""How well archives fill behaviour space, alone and beside each other."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from speciate.archives import coverage, qd_score
from speciate.records import Cell, Member, Score


@dataclass(frozen=True, slots=True)
class Quality:
    """What one archive amounts to.

    Attributes:
        filled: cells that are filled.
        coverage: share of all cells that are filled, 0 to 1; None without cells.
        qd_score: Σ(F − offset) over the filled cells, higher is better; None without cells.
        best: the best score, or None of an empty archive.
    """

    filled: int
    coverage: float | None
    qd_score: float | None
    best: Score | None


def quality(scores: Mapping[Cell, Score], cells: int | None, offset: Score = 0.0) -> Quality:
    """Returns coverage and QD-Score (Pugh 2016, https://doi.org/10.3389/frobt.2016.00040) of an archive.

    Args:
        scores: the score of each filled cell, higher is better.
        cells: how many cells there are, or None for a space that is not cut into cells.
        offset: a score that none falls below, higher is better.

    Raises:
        ValueError: more cells are filled than there are.
    """
    best = max(scores.values(), default=None)
    if cells is None:
        return Quality(len(scores), None, None, best)
    members = [Member(number, (score,)) for number, score in enumerate(scores.values())]
    return Quality(len(scores), coverage(len(scores), cells), qd_score(members, offset), best)


def niche_novelty(filled: Mapping[str, Collection[Cell]]) -> dict[str, float | None]:
    """Returns each node's niche novelty η: the share of its filled cells that no other node fills, 0 to 1.

    This is DEI's measure (arXiv 2605.27130) as we read it; the other reading of it is `opening_share`. None
    for a node that fills no cell, and for all where there is only one node: nobody could share its cells.

    Args:
        filled: the filled cells of each node, on one common map.
    """
    owners = Counter(cell for cells in filled.values() for cell in set(cells))
    novelty: dict[str, float | None] = {}
    for name, cells in filled.items():
        own = set(cells)
        alone = sum(owners[cell] == 1 for cell in own)
        novelty[name] = alone / len(own) if own and len(filled) > 1 else None
    return novelty


def opening_share(received: int, opened: int) -> float | None:
    """Returns niche novelty as a receiver sees it: the share of received champions that filled an empty cell.

    Args:
        received: champions of peers that were taken.
        opened: those of them that came to live in a cell that was empty.

    Returns:
        0 to 1, or None if nothing was received.

    Raises:
        ValueError: more were opened than received.
    """
    if not 0 <= opened <= received:
        raise ValueError(f"{opened} of {received} champions cannot have opened a cell")
    return opened / received if received else None


def mean_novelty(novelty: Mapping[str, float | None]) -> float | None:
    """Returns the mean over the nodes that have a value, or None if none has."""
    known = [value for value in novelty.values() if value is not None]
    return math.fsum(known) / len(known) if known else None
