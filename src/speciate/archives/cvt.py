"""Cells around centroids that spread evenly over behaviour space."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

import numpy as np
from typing_extensions import override

from speciate.archives.cells import CellArchive
from speciate.records import Cell, Descriptor, text_hash
from speciate.seeds import stream

_SAMPLES_PER_CENTROID = 20
_LEAST_SAMPLES = 4_000
_ROUNDS = 25
_BLOCK = 128  # most cells that are compared with each other in one round


class CVTArchive(CellArchive):
    """CVT-MAP-Elites: a cell is all that lies nearer to its centroid than to any other.

    (Vassiliades 2018, https://arxiv.org/abs/1610.05729)

    Coordinates are scaled to the unit cube first, so that an axis with large numbers does not decide alone;
    values outside a range count as lying on its border. On equal distances the smaller index wins.

    Args:
        ranges: (low, high) of each coordinate, finite, ``low < high``, at least one.
        centroids: points in the unit cube, shape ``(cells, len(ranges))``; see `spread`.

    Raises:
        ValueError: the shapes do not fit, a range is empty or a centroid is not finite.
    """

    def __init__(self, ranges: Sequence[tuple[float, float]], centroids: np.ndarray) -> None:
        if not ranges or not all(np.isfinite(r).all() and r[0] < r[1] for r in ranges):
            raise ValueError(f"ranges must be finite and increase, at least one, got {ranges}")
        if centroids.ndim != 2 or centroids.shape[1] != len(ranges) or not len(centroids):
            raise ValueError(f"expected centroids of shape (cells, {len(ranges)}), got {centroids.shape}")
        if not np.isfinite(centroids).all():
            raise ValueError("centroids must be finite")
        super().__init__(len(ranges))
        self._ranges = tuple(ranges)
        # One contiguous row a coordinate; read-only, because islands and epochs share it.
        self._columns = np.ascontiguousarray(centroids.T, dtype=np.float64)
        self._columns.flags.writeable = False

    @property
    def cells(self) -> int:
        """How many cells there are to fill."""
        return int(self._columns.shape[1])

    @property
    def centroids(self) -> np.ndarray:
        """The centroids in the unit cube, shape ``(cells, dimensions)``, read-only."""
        return self._columns.T

    @property
    @override
    def layout(self) -> str:
        return text_hash(json.dumps(["cvt", self._ranges, self._columns.tolist()]))

    @override
    def locate(self, descriptor: Descriptor) -> Cell:
        point = self.scale(descriptor)
        return (int(_squared_distances(np.array([point]), self._columns)[0].argmin()),)

    def scale(self, descriptor: Descriptor) -> Descriptor:
        """Returns the descriptor in the unit cube; what lies outside its range is moved to the border."""
        return tuple(
            # Halves, because the width of the range may overflow.
            min(max((value / 2 - low / 2) / (high / 2 - low / 2), 0.0), 1.0)
            for value, (low, high) in zip(descriptor, self._ranges, strict=True)
        )

    @override
    def emptied(self) -> CVTArchive:
        return CVTArchive(self._ranges, self.centroids)


def spread(cells: int, dimensions: int, seed: int = 0) -> np.ndarray:
    """Returns centroids that spread evenly over the unit cube, shape ``(cells, dimensions)``.

    Lloyd's iteration (Lloyd 1982) over uniform samples, within blocks of neighbouring cells that are cut
    anew in every round: the work grows with the number of cells, not with its square, and since the cuts
    move, no border stays behind. The cells come out as even as from an iteration over all of them. The sums
    are plain elementwise and sequential ones, no BLAS, so that the same arguments give the same bits on
    every machine with the same numpy: a resumed run must find the same cells.

    Args:
        cells: number of centroids, at least 1.
        dimensions: number of coordinates, at least 1.
        seed: names the samples; unrelated to the run's seed, so that runs can be compared on one map.

    Raises:
        ValueError: `cells` or `dimensions` is below 1.
    """
    if cells < 1 or dimensions < 1:
        raise ValueError(f"expected at least one cell and one dimension, got {cells} and {dimensions}")
    size = max(_LEAST_SAMPLES, _SAMPLES_PER_CENTROID * cells)
    rng = stream(seed, 0, f"cvt|{cells}|{dimensions}")
    samples = rng.random((size, dimensions))
    centroids = samples[:cells].copy()
    for _ in range(_ROUNDS):
        for inside, block in _blocks(samples, centroids, rng):
            columns = np.ascontiguousarray(centroids[block].T)
            points = samples[inside]
            centroids[block] = _means(points, _nearest(points, columns), columns).T
    return centroids


def _blocks(
    samples: np.ndarray, centroids: np.ndarray, rng: np.random.Generator
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Cuts space into boxes of at most `_BLOCK` centroids; yields indices of their samples and centroids.

    A box is cut across its longest side, somewhere in its middle third: a k-d tree with chance.
    """
    waiting = [(np.arange(len(samples)), np.arange(len(centroids)))]
    while waiting:
        inside, block = waiting.pop()
        if len(block) <= _BLOCK:
            yield inside, block
            continue
        places = centroids[block]
        axis = int((places.max(axis=0) - places.min(axis=0)).argmax())
        cut = int(rng.integers(len(block) // 3, len(block) - len(block) // 3))
        order = places[:, axis].argsort(kind="stable")
        below = samples[inside, axis] < places[order[cut], axis]
        waiting += [(inside[below], block[order[:cut]]), (inside[~below], block[order[cut:]])]


def _nearest(points: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """Index of the nearest centroid of each point."""
    owners: np.ndarray = _squared_distances(points, columns).argmin(axis=1)
    return owners


def _means(points: np.ndarray, owners: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """The centre of the points each centroid owns; one that owns none stays where it is."""
    counts = np.bincount(owners, minlength=columns.shape[1])
    sums = np.stack([np.bincount(owners, weights=p, minlength=columns.shape[1]) for p in points.T])
    return np.where(counts > 0, sums / np.maximum(counts, 1), columns)


def _squared_distances(points: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """Squared distances from ``(n, d)`` points to ``(d, k)`` centroids, shape ``(n, k)``."""
    total = np.zeros((len(points), columns.shape[1]))
    for axis, column in enumerate(columns):
        difference = points[:, axis, None] - column
        difference *= difference
        total += difference
    return total
