"""Chance, by name.

Every choice that uses chance draws from a stream of its own, keyed by what the choice is for. Two
streams never share state, so the order in which concurrent candidates draw does not matter.
"""

from __future__ import annotations

from hashlib import blake2b

import numpy as np


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
    name = f"{seed}|{ordinal}|{epoch}|{attempt}|{purpose}".encode()
    key = int.from_bytes(blake2b(name, digest_size=16).digest(), "little")
    return np.random.Generator(np.random.Philox(key=key))
