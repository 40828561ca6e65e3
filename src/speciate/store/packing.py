"""Compression with preset dictionaries: what a run says again and again is said once.

Programs of one run are near-copies of each other and events have the same keys, so a small record
compresses well only against something that came before it. Such samples are kept in the database as
dictionaries, and each record names the one it was packed with.
"""

from __future__ import annotations

import zlib
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

RAW = 0
"""Codec of data that are stored as they are. Any other codec is the id of a dictionary."""

_WINDOW = -15  # deflate without header and checksum: texts have a hash, and the database checks its pages
_MEMORY = 8  # the next level allocates so much that packing a small record takes fifteen times as long
_TINY = 16  # bytes that are not worth the call
_LOOK_BACK = 32 * 1024 - 262  # the farthest that deflate can refer to


@dataclass(frozen=True, slots=True)
class Dictionary:
    """Samples that records are compressed against.

    Attributes:
        codec: its id in the database, from 1.
        data: the samples; those most alike to what will come should be last.
    """

    codec: int
    data: bytes

    def pack(self, raw: bytes) -> tuple[int, bytes]:
        """Returns the codec and the stored form, which is never longer than `raw`."""
        deflate = zlib.compressobj(9, zlib.DEFLATED, _WINDOW, _MEMORY, zlib.Z_DEFAULT_STRATEGY, self.data)
        packed = deflate.compress(raw) + deflate.flush()
        return (self.codec, packed) if len(packed) < len(raw) else (RAW, raw)

    def unpack(self, packed: bytes) -> bytes:
        """Returns what was packed; raises zlib.error if it is damaged."""
        inflate = zlib.decompressobj(_WINDOW, self.data)
        raw = inflate.decompress(packed)
        if not inflate.eof:
            raise zlib.error("the data end too early")
        return raw


class Press:
    """Packs one kind of records and collects recent ones for the next dictionary.

    Args:
        dictionary: the dictionary in force.
        size: most bytes a new dictionary may have.
        first: number of records after which the first new one is due.
        every: number of records between later ones.
    """

    def __init__(self, dictionary: Dictionary, *, size: int, first: int, every: int) -> None:
        self._dictionary = dictionary
        self._size = min(size, _LOOK_BACK)
        self._due = first
        self._every = every
        self._samples: deque[bytes] = deque()
        self._held = 0

    def pack(self, raw: bytes, *, sample: bool = True) -> tuple[int, bytes]:
        """Returns codec and stored form of a record; a `sample` may become part of a dictionary."""
        if len(raw) <= _TINY:
            return RAW, raw
        if sample:
            self._collect(raw)
        return self._dictionary.pack(raw)

    def _collect(self, raw: bytes) -> None:
        self._due -= 1
        self._samples.append(raw)
        self._held += len(raw)
        while self._held > self._size:
            self._held -= len(self._samples.popleft())

    def harvest(self) -> bytes | None:
        """Returns the data of a new dictionary if one is due, else None."""
        return b"".join(self._samples) if self._due <= 0 and self._samples else None

    def adopt(self, dictionary: Dictionary) -> None:
        """Packs with a new dictionary from now on."""
        self._dictionary = dictionary
        self._due = self._every


class Dictionaries:
    """The dictionaries of one database, each read on its first use.

    Args:
        load: reads a dictionary's data by its id; raises KeyError if there is none.
    """

    def __init__(self, load: Callable[[int], bytes]) -> None:
        self._load = load
        self._known: dict[int, Dictionary] = {}

    def unpack(self, codec: int, data: bytes) -> bytes:
        """Returns the original of stored data.

        Raises:
            KeyError: its dictionary is missing.
            zlib.error: it is damaged.
        """
        if codec == RAW:
            return data
        if codec not in self._known:
            self._known[codec] = Dictionary(codec, self._load(codec))
        return self._known[codec].unpack(data)
