"""Vectors as text: an embedding is a reply like any other, and a reply is a text."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

_LARGEST = 2**15 - 1


def pack(vector: Sequence[float]) -> str:
    """Returns a vector as text: whole numbers of 16 bits up to its largest entry, in base64.

    Its length is lost and its direction kept to five digits, which is all that a cosine asks for.

    Raises:
        ValueError: it is empty, all zeros, or holds what is no finite number.
    """
    values = np.asarray(vector, dtype=np.float64)
    largest = float(np.abs(values).max()) if values.ndim == 1 and values.size else 0.0
    if not (0 < largest < float("inf")):
        raise ValueError("the embedding is no vector of finite numbers that are not all zero")
    whole = np.rint(values / largest * _LARGEST).astype("<i2")
    return base64.b64encode(whole.tobytes()).decode("ascii")


def unpack(text: str) -> npt.NDArray[np.int32] | None:
    """Returns a packed vector, shape ``(dims,)``, or None for a text that is none."""
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
    return np.frombuffer(data, "<i2").astype(np.int32) if data and len(data) % 2 == 0 else None
