"""Who was chosen to propose as the run went on: what a bandit made of its arms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from speciate.store import RunHistory

PARTS = 5


@dataclass(frozen=True, slots=True)
class ProposerShares:
    """Shares of the candidates that each proposer was given, in equal parts of the run.

    Attributes:
        proposers: their names, in the order in which they were first chosen; shape ``(p,)``.
        ends: how many candidates were issued at the end of each part, shape ``(m,)``.
        shares: of each proposer in each part, shape ``(m, p)``; a row adds up to 1.
    """

    proposers: tuple[str, ...]
    ends: np.ndarray
    shares: np.ndarray


def proposer_shares(history: RunHistory, *, parts: int = PARTS) -> ProposerShares:
    """Counts who was chosen in each part of the run; no parts as long as nobody was.

    Args:
        history: the run.
        parts: how many equal parts; fewer for shorter runs.
    """
    chosen = [c.choice.proposer for _, c in sorted(history.candidates.items()) if not c.choice.planted]
    names = tuple(dict.fromkeys(chosen))
    edges = np.unique(np.linspace(0, len(chosen), parts + 1).astype(int))
    shares = np.empty((len(edges) - 1, len(names)))
    for place, (start, end) in enumerate(pairwise(edges)):
        shares[place] = _shares(chosen[start:end], names)
    return ProposerShares(names, edges[1:], shares)


def _shares(chosen: Sequence[str], names: Sequence[str]) -> list[float]:
    counts = Counter(chosen)
    return [counts[name] / len(chosen) for name in names]
