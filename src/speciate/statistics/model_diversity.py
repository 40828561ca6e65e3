"""How different proposers are, by where in behaviour space their programs fall.

A proposer's *cell distribution* is an array of shape ``(cells,)``: the probability that one of its proposals
falls into each cell. What is invalid falls into none, so that the sum may be below 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement

import numpy as np

from speciate.records import Cell


def cell_distributions(
    counts: Mapping[str, Mapping[Cell, int]], tries: Mapping[str, int]
) -> tuple[list[str], np.ndarray]:
    """Returns the cell distributions of proposers from what fell where.

    Args:
        counts: by proposer, how many of its programs fell into each cell.
        tries: by proposer, how many proposals that took, invalid ones included; at least 1 each.

    Returns:
        The proposers' names, sorted, and an array of shape ``(proposers, cells)`` over the cells that any of
        them reached, sorted.

    Raises:
        ValueError: a proposer has more programs than proposals, or none.
    """
    names = sorted(counts)
    cells = sorted({cell for found in counts.values() for cell in found})
    shares = np.zeros((len(names), len(cells)))
    for row, name in enumerate(names):
        if not tries[name] >= max(1, sum(counts[name].values())):
            raise ValueError(
                f"{tries[name]} proposals of {name} cannot be {sum(counts[name].values())} programs"
            )
        shares[row] = [counts[name].get(cell, 0) / tries[name] for cell in cells]
    return names, shares


def normalised(shares: np.ndarray) -> np.ndarray:
    """Returns distributions that sum to 1, shape as given; one without any mass stays zero."""
    total = shares.sum(axis=-1, keepdims=True)
    scaled: np.ndarray = np.divide(shares, total, out=np.zeros_like(shares), where=total > 0)
    return scaled


def jensen_shannon(first: np.ndarray, second: np.ndarray) -> float:
    """Returns the Jensen-Shannon divergence of two distributions in bits: 0 if equal, 1 if disjoint.

    ½ Σ p log₂(p/m) + ½ Σ q log₂(q/m) with m = (p + q)/2 (Lin 1991, https://doi.org/10.1109/18.61115), of the
    distributions scaled to 1.

    Args:
        first: shape ``(cells,)``.
        second: likewise.

    Raises:
        ValueError: one of them has no mass.
    """
    p, q = normalised(first), normalised(second)
    if not (p.any() and q.any()):
        raise ValueError("a proposer without valid programs has no distribution to compare")
    middle = (p + q) / 2
    divergence = (_relative(p, middle) + _relative(q, middle)) / 2
    return float(np.clip(divergence, 0.0, 1.0))


def _relative(p: np.ndarray, middle: np.ndarray) -> float:
    """Returns the Kullback-Leibler divergence Σ p log₂(p/m) in bits; m is positive wherever p is."""
    held = p > 0
    return float(np.sum(p[held] * np.log2(p[held] / middle[held])))


def overlap(first: np.ndarray, second: np.ndarray) -> float:
    """Returns the mass that two distributions share, Σ min(p, q): 1 if they are equal, 0 if disjoint."""
    return float(np.clip(np.minimum(normalised(first), normalised(second)).sum(), 0.0, 1.0))


def affinity(shares: np.ndarray) -> np.ndarray:
    """Returns the Bhattacharyya coefficients Σ √(p q) of all pairs, shape ``(proposers, proposers)``.

    They are inner products of the vectors √p, so that the matrix is a kernel: 1 on the diagonal, and positive
    semidefinite, as `vendi_score` needs it (Bhattacharyya 1943).

    Args:
        shares: shape ``(proposers, cells)``.
    """
    roots = np.sqrt(normalised(shares))
    products: np.ndarray = roots @ roots.T
    return products


def vendi_score(kernel: np.ndarray) -> float:
    """Returns the Vendi Score exp(−Σ λ ln λ) over the eigenvalues λ of K/n: the effective number of kinds.

    1 if all n are alike, n if no two have anything in common (Friedman 2023,
    https://arxiv.org/abs/2210.02410).

    Args:
        kernel: similarities of n things, symmetric and positive semidefinite, 1 on the diagonal; shape
            ``(n, n)``.

    Raises:
        ValueError: it is none.
    """
    n = len(kernel)
    if kernel.shape != (n, n) or not n or not np.allclose(kernel, kernel.T):
        raise ValueError(f"a kernel is square, symmetric and not empty, got shape {kernel.shape}")
    if not np.allclose(np.diag(kernel), 1.0):
        raise ValueError("a kernel is 1 on its diagonal: everything is like itself")
    values = np.linalg.eigvalsh(kernel / n)
    if values.min() < -1e-9:
        raise ValueError(f"a kernel has no negative eigenvalues, got {values.min():.3g}")
    positive = values[values > 0]
    return float(np.clip(np.exp(-np.sum(positive * np.log(positive))), 1.0, n))


def expected_cells(shares: np.ndarray, calls: Sequence[float]) -> float:
    """Returns how many cells a mixture of proposers is expected to fill.

    Σ over cells of 1 − Π_i (1 − p_i)^{n_i}: the closed form for proposals that are drawn independently of
    each other from each proposer's own distribution. DEI's claim (arXiv 2605.27130) that mixtures cover more
    follows from it; a search is no such drawing, since it builds on what it found, so measure besides.

    Args:
        shares: p_i, shape ``(proposers, cells)``.
        calls: n_i, proposals of each proposer; a fraction is a mean over runs.

    Raises:
        ValueError: a probability is not within 0 and 1, or a number of calls is negative.
    """
    numbers = np.asarray(calls, dtype=float)
    if shares.size and (shares.min() < 0 or shares.max() > 1):
        raise ValueError("probabilities are from 0 to 1")
    if numbers.shape != (len(shares),) or (numbers < 0).any():
        raise ValueError(f"{len(shares)} proposers need as many numbers of calls, none negative; got {calls}")
    with np.errstate(divide="ignore"):
        missed = np.log1p(-shares)  # −∞ for a cell that every proposal reaches
    # 0 · −∞ is nothing asked and nothing filled, not NaN.
    exponents = np.where(
        numbers[:, None] > 0, numbers[:, None] * np.where(numbers[:, None] > 0, missed, 0), 0.0
    )
    return float(np.sum(-np.expm1(exponents.sum(axis=0))))


@dataclass(frozen=True, slots=True)
class Mixture:
    """Which proposer sits at each node, and what that is expected to fill.

    Attributes:
        proposers: one a node, sorted; the same one again for several nodes.
        cells: expected number of filled cells, see `expected_cells`.
    """

    proposers: tuple[str, ...]
    cells: float


def expected_mixtures(
    names: Sequence[str], shares: np.ndarray, *, nodes: int, calls: int
) -> Iterator[Mixture]:
    """Predicts every way to give proposers to nodes, at equal calls: C(names + nodes − 1, nodes) of them.

    Args:
        names: the proposers.
        shares: their cell distributions, shape ``(proposers, cells)``.
        nodes: how many nodes.
        calls: proposals of each node.
    """
    for places in combinations_with_replacement(range(len(names)), nodes):
        numbers = [calls * places.count(place) for place in range(len(names))]
        yield Mixture(tuple(names[place] for place in places), expected_cells(shares, numbers))


@dataclass(frozen=True, slots=True)
class Diversity:
    """How different several proposers are.

    Attributes:
        names: the proposers that reached any cell, sorted; the rest have no distribution.
        vendi: their effective number, from 1 to how many they are; None without any.
        divergence: Jensen-Shannon divergence of each pair in bits, shape ``(names, names)``.
        overlap: mass that each pair shares, shape ``(names, names)``.
    """

    names: tuple[str, ...]
    vendi: float | None
    divergence: np.ndarray
    overlap: np.ndarray


def diversity(names: Sequence[str], shares: np.ndarray) -> Diversity:
    """Measures how different proposers are from their cell distributions, shape ``(proposers, cells)``."""
    able = [place for place in range(len(names)) if shares[place].any()]
    rows = shares[able]
    pairs = [[(one, other) for other in rows] for one in rows]
    size = (len(able), len(able))
    return Diversity(
        tuple(names[place] for place in able),
        vendi_score(affinity(rows)) if able else None,
        np.array([[jensen_shannon(*pair) for pair in row] for row in pairs]).reshape(size),
        np.array([[overlap(*pair) for pair in row] for row in pairs]).reshape(size),
    )
