"""Features of programs as numbers, and many of them as one vector."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Vector: TypeAlias = npt.NDArray[np.int32]
"""An embedding, shape ``(dims,)``. Whole numbers: their products are exact, so that a cosine is the same on
every machine, in whatever order it is summed."""

DIMS = 512
"""Length of the vectors of our own embedding: a power of two."""

_MASK = 2**64 - 1
_FIRST, _SECOND = 0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93  # odd, with bits all over
_SCALE = 16.0


@lru_cache(maxsize=1 << 15)
def label(text: str) -> int:
    """Returns 64 bits for a label."""
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")


def joined(path: int, step: int) -> int:
    """Returns 64 bits for a path with one more step; the order of steps makes a difference."""
    return (((path * _FIRST) & _MASK) ^ step) * _SECOND & _MASK


def folded(features: Sequence[int]) -> Vector:
    """Returns a bag of features as a vector (feature hashing with signs, Weinberger 2009,
    https://arxiv.org/abs/0902.2206).

    A feature that occurs n times weighs √n, so that what is everywhere does not outweigh all else.

    Args:
        features: 64 bits each, as often as they occur, in any order.
    """
    found, counts = np.unique(np.array(features, dtype=np.uint64), return_counts=True)
    weights = np.floor(_SCALE * np.sqrt(counts))
    signed = np.where(found >> np.uint64(63), weights, -weights)
    places = (found >> np.uint64(32)) % np.uint64(DIMS)
    return np.bincount(places.astype(np.int64), weights=signed, minlength=DIMS).astype(np.int32)


def cosine(first: Vector, second: Vector) -> float:
    """Returns the cosine of two vectors, to six decimals, from −1 to 1; 0 if one of them is all zeros."""
    return float(cosines(first, second[None, :])[0])


def cosines(vector: Vector, rows: npt.NDArray[np.int32]) -> npt.NDArray[np.float64]:
    """Returns the cosine of a vector with each of many, to six decimals.

    The same on every machine: sums are of whole numbers, and roots and quotients are exact to the last bit.

    Args:
        vector: shape ``(dims,)``.
        rows: shape ``(n, dims)``.

    Returns:
        Shape ``(n,)``, from −1 to 1; 0 where one of the two is all zeros.
    """
    one, many = vector.astype(np.int64), rows.astype(np.int64)
    lengths = math.sqrt(int(one @ one)) * np.sqrt((many * many).sum(axis=1))
    return np.round((many @ one) / np.where(lengths > 0, lengths, 1.0), DECIMALS)


DECIMALS = 6
"""Decimals of a similarity."""
