"""What has been proposed before, as far as novelty needs to know."""

from __future__ import annotations

from typing import TypeAlias

from speciate.records import Ordinal

Fingerprint: TypeAlias = str
"""32 hexadecimal digits; equal for programs that only differ in how they are written down."""


class NoveltyMemory:
    """A fold over the history: fingerprints of earlier programs, about 190 bytes each.

    Filters read it and never change it.
    """

    def __init__(self) -> None:
        """Begins empty."""
        self._first: dict[bytes, Ordinal] = {}

    def note(self, ordinal: Ordinal, island: int, fingerprint: Fingerprint) -> None:
        """Takes a program into the memory. The order of ordinals makes no difference.

        Args:
            ordinal: the candidate it belongs to.
            island: where it lives or would have lived.
            fingerprint: of the program, see `fingerprint`; an empty one is not remembered.
        """
        if not fingerprint:
            return
        digest = bytes.fromhex(fingerprint)
        self._first[digest] = min(ordinal, self._first.get(digest, ordinal))

    def find(self, fingerprint: Fingerprint, *, before: Ordinal) -> Ordinal | None:
        """Returns the first candidate with this fingerprint and an ordinal below `before`, or None."""
        ordinal = self._first.get(bytes.fromhex(fingerprint))
        return ordinal if ordinal is not None and ordinal < before else None

    def __len__(self) -> int:
        return len(self._first)
