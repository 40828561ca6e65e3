"""Whether a stored history can be read from end to end."""

from __future__ import annotations

from collections.abc import Iterator

from speciate.errors import StoreCorruptError
from speciate.records import TextHash, text_refs
from speciate.store.base import StoreReader
from speciate.store.fold import Fold


def problems(reader: StoreReader) -> Iterator[str]:
    """Yields what is wrong with a history, one sentence each: unreadable events, missing or changed texts.

    Reads everything, and each text once. Stops at the first event that cannot be read, since nothing is
    known of what comes after it.

    Raises:
        StoreError: the store cannot be read for another reason than damage.
    """
    fold = Fold()
    seen: set[TextHash] = set()
    try:
        for stored in reader.events():
            fold.apply(stored)
            for digest in text_refs(stored.event):
                if digest not in seen:
                    seen.add(digest)
                    yield from _problem_of_text(reader, digest, stored.seq)
    except StoreCorruptError as error:
        yield str(error)


def _problem_of_text(reader: StoreReader, digest: TextHash, seq: int) -> Iterator[str]:
    try:
        reader.text(digest)
    except StoreCorruptError as error:
        yield f"event {seq}: {error}"
