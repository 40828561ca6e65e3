"""Chance, by name.

Every choice that uses chance draws from a stream of its own, keyed by what the choice is for. Two
streams never share state, so the order in which concurrent candidates draw does not matter.
"""

from __future__ import annotations

from hashlib import blake2b

import numpy as np
import numpy.typing as npt
from numpy.random.bit_generator import ISeedSequence
from numpy.typing import DTypeLike
from typing_extensions import override


class _Key(ISeedSequence):
    """Hands a key to Philox. Given it by name, numpy would ask the system for a seed first, and drop it."""

    def __init__(self, name: str) -> None:
        self._name = name.encode()

    @override
    def generate_state(self, n_words: int, dtype: DTypeLike = np.uint64) -> np.ndarray:
        # Philox wants two words of 64 bits; the order of bytes is the same on every machine.
        return np.frombuffer(blake2b(self._name, digest_size=8 * n_words).digest(), "<u8").astype(dtype)


def stream(seed: int, ordinal: int, purpose: str, *, epoch: int = 0, attempt: int = 0) -> np.random.Generator:
    """Returns the random stream for one purpose of one candidate.

    Args:
        seed: the run's seed, any integer.
        ordinal: the candidate's ordinal; 0 is the initial program.
        purpose: what the chance is for, for example ``"parent"``.
        epoch: the epoch the choice belongs to.
        attempt: which attempt of the candidate; 0 is the first.

    Returns:
        A generator over Philox (Salmon 2011), a counter-based bit generator, keyed by a hash of all
        arguments. The same arguments give the same numbers on every machine with the same numpy.
    """
    key = _Key(f"{seed}|{ordinal}|{epoch}|{attempt}|{purpose}")
    return np.random.Generator(np.random.Philox(key))  # type: ignore[arg-type]  # the stubs forget ISeedSequence


def draw_index(weights: npt.ArrayLike, rng: np.random.Generator) -> int:
    """Draws a position by weight.

    Args:
        weights: shape ``(n,)``, none negative, at least one above 0; they need not sum to 1.
        rng: stream of this draw; one number is taken from it.
    """
    cumulative = np.cumsum(weights)
    position = int(np.searchsorted(cumulative, rng.random() * cumulative[-1], side="right"))
    return min(position, len(cumulative) - 1)  # rounding may lead past the end
