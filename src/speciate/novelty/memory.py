"""What has been proposed before, as far as novelty needs to know."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import defaultdict
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from speciate.records import Ordinal, TextHash

Fingerprint: TypeAlias = str
"""32 hexadecimal digits; equal for programs that only differ in how they are written down."""


class NoveltyMemory:
    """A fold over the history: fingerprints of earlier programs, about 190 bytes each, and who lives where.

    Filters read it and never change it.

    Attributes:
        watches: whether it has to be told who lives in an archive as a candidate is chosen; that is only of
            use to filters that compare.
    """

    def __init__(self, *, watches: bool = False) -> None:
        """Begins empty."""
        self.watches = watches
        self._first: dict[bytes, Ordinal] = {}
        self._islands: defaultdict[int, list[Ordinal]] = defaultdict(list)
        self._archives: dict[Ordinal, npt.NDArray[np.int64]] = {}
        self._vectors: dict[Ordinal, tuple[Ordinal, bytes]] = {}

    def note(self, ordinal: Ordinal, island: int, fingerprint: Fingerprint) -> None:
        """Takes a program into the memory. The order of ordinals makes no difference.

        Args:
            ordinal: the candidate it belongs to.
            island: where it lives or would have lived.
            fingerprint: of the program, see `fingerprint`; an empty one is not remembered.
        """
        insort(self._islands[island], ordinal)
        if not fingerprint:
            return
        digest = bytes.fromhex(fingerprint)
        self._first[digest] = min(ordinal, self._first.get(digest, ordinal))

    def find(self, fingerprint: Fingerprint, *, before: Ordinal) -> Ordinal | None:
        """Returns the first candidate with this fingerprint and an ordinal below `before`, or None."""
        ordinal = self._first.get(bytes.fromhex(fingerprint))
        return ordinal if ordinal is not None and ordinal < before else None

    def chosen(self, ordinal: Ordinal, archive: npt.NDArray[np.int64]) -> None:
        """Notes who lives in the archive of a candidate's island as it is chosen, until it is closed.

        Args:
            ordinal: the candidate.
            archive: ordinals of the occupants; not changed afterwards.
        """
        self._archives[ordinal] = archive

    def closed(self, ordinal: Ordinal) -> None:
        """Forgets what only mattered as long as the candidate was open."""
        self._archives.pop(ordinal, None)

    def company(
        self, ordinal: Ordinal, island: int, *, before: Ordinal, recent: int
    ) -> npt.NDArray[np.int64]:
        """Returns whom a candidate is compared with: the archive of its island, and the last programs there.

        Args:
            ordinal: the candidate, which is open.
            island: its island.
            before: only programs of smaller ordinals; the archive is as it was when the candidate was chosen.
            recent: how many of the last programs.

        Returns:
            Ordinals, rising, each once.
        """
        programs = self._islands[island]
        end = bisect_left(programs, before)
        last = np.array(programs[max(0, end - recent) : end], dtype=np.int64)
        archive = self._archives.get(ordinal)
        together = last if archive is None else np.union1d(last, archive)
        others: npt.NDArray[np.int64] = together[together != ordinal]
        return others

    def note_vector(self, ordinal: Ordinal, text: TextHash, *, told_by: Ordinal) -> None:
        """Notes the text in which a model gave a program's vector. The order of notes makes no difference.

        Args:
            ordinal: whose program it is.
            text: hash of the text.
            told_by: the candidate that asked for it; its own, or a child that was compared with its parent.
        """
        told = told_by, bytes.fromhex(text)
        self._vectors[ordinal] = min(told, self._vectors.get(ordinal, told))

    def vector_text(self, ordinal: Ordinal, *, before: Ordinal) -> TextHash | None:
        """Returns the text in which a model gave a program's vector, or None if nobody has asked for it.

        Args:
            ordinal: whose program it is.
            before: only what candidates of smaller ordinals have asked for counts.
        """
        told_by, text = self._vectors.get(ordinal, (before, b""))
        return text.hex() if told_by < before else None

    def __len__(self) -> int:
        return len(self._first)
