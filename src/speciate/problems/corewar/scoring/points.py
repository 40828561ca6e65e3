"""From counts to results and scores. All are pure functions of what the simulator counted."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from speciate.problems.corewar.mars import Counts, Cycles, Flags

Scores = NDArray[np.float64]


def results(alive: Flags) -> list[list[int]]:
    """Returns how often each warrior ended how.

    Args:
        alive: (rounds, warriors) 1 for those that lived at the end.

    Returns:
        For two warriors ``[[wins, ties], [wins, ties]]``, where a tie is also the death of both. Otherwise
        for each the number of rounds it survived with 1, 2, … W alive, and the rounds it died in.
    """
    count = alive.shape[1]
    survivors = alive.sum(axis=1)
    if count == 2:
        ties = int((survivors != 1).sum())
        return [[int((alive[:, seat] & (survivors == 1)).sum()), ties] for seat in range(2)]
    return [_fates(alive[:, seat], survivors, count) for seat in range(count)]


def _fates(lived: Flags, survivors: NDArray[np.uint64], count: int) -> list[int]:
    """Returns one warrior's counts by how many survived with it, and its deaths."""
    fates = [int(((survivors == among) & (lived == 1)).sum()) for among in range(1, count + 1)]
    return [*fates, int((lived == 0).sum())]


def pmars_points(alive: Flags) -> Scores:
    """Returns pMARS's points, summed over the rounds: (W·W − 1) / S for each of S survivors among W, rounded
    down. That is 3 for a win, 1 for a tie between two, 0 for a death.

    Args:
        alive: (rounds, warriors) 1 for those that lived at the end.

    Returns:
        (warriors,), higher is better.
    """
    count = alive.shape[1]
    survivors = alive.sum(axis=1, dtype=np.int64)
    share = (count * count - 1) // np.maximum(survivors, 1)
    return np.asarray((alive * share[:, None]).sum(axis=0), np.float64)


def drq_scores(lifetimes: Cycles, cycles: int) -> Scores:
    """Returns the scores of Digital Red Queen (Kumar 2026), averaged over the rounds.

    In each cycle those that are alive after it share one point; N warriors play for N points in all:
    score_i = N · Σ_t alive_i(t) / alive(t) / cycles. As long as the k-th to die lives, N − k + 1 share; so
    lifetimes alone decide.

    Args:
        lifetimes: (rounds, warriors) whole cycles survived.
        cycles: cycles of a round.

    Returns:
        (warriors,) from 0 to N; 1 for all if nobody ever dies. Higher is better.
    """
    rounds, count = lifetimes.shape
    order = np.argsort(lifetimes, axis=1, kind="stable")
    ends = np.take_along_axis(lifetimes, order, axis=1)
    spans = np.diff(ends, axis=1, prepend=0)
    earned = np.cumsum(spans / np.arange(count, 0, -1), axis=1)
    scores = np.empty((rounds, count))
    np.put_along_axis(scores, order, earned, axis=1)
    return np.asarray(count * scores.mean(axis=0) / cycles)


def survival_scores(counts: Counts, cycles: int) -> Scores:
    """Returns survival in pairs: the sum over the first warrior's battles of the share of cycles it survived,
    averaged over the rounds; for each opponent its own share.

    Args:
        counts: (pairs, rounds, 2), the first warrior in seat 0 of each; or (1, rounds, 1), a warrior alone.
        cycles: cycles of a round.

    Returns:
        (warriors,), the first one's from 0 to the number of pairs. Higher is better.
    """
    shares = counts.lifetime.mean(axis=1) / cycles
    if shares.shape[1] == 1:
        return np.asarray(shares[:, 0], np.float64)
    return np.asarray(np.concatenate(([shares[:, 0].sum()], shares[:, 1])), np.float64)
