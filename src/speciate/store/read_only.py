"""A history that cannot grow, for those who need a whole store and must not write."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from typing_extensions import override

from speciate.errors import StoreError
from speciate.records import Event, Json, Seconds, TextHash
from speciate.store.base import Session, Store, Stored, StoreReader


class ReadOnlyStore(Store):
    """Reads through a reader and refuses all that writes. Takes the reader over: `close` closes it.

    Args:
        reader: the run's history.
    """

    def __init__(self, reader: StoreReader) -> None:
        self._reader = reader

    @override
    def events(self, *, after: int = 0, ordinal: int | None = None) -> Iterator[Stored]:
        return self._reader.events(after=after, ordinal=ordinal)

    @override
    def text(self, digest: TextHash) -> str:
        return self._reader.text(digest)

    @override
    def manifest(self) -> Mapping[str, Json]:
        return self._reader.manifest()

    @override
    def sessions(self) -> Sequence[Session]:
        return self._reader.sessions()

    @override
    def close(self) -> None:
        self._reader.close()

    @override
    async def append(self, events: Sequence[Event], texts: Mapping[TextHash, str] | None = None) -> None:
        raise _refused()

    @override
    def begin(self, manifest: Mapping[str, Json]) -> None:
        raise _refused()

    @override
    def open_session(self, facts: Mapping[str, Json]) -> int:
        raise _refused()

    @override
    def update_session(self, number: int, *, seconds: Seconds, stop_reason: str | None = None) -> None:
        raise _refused()


def _refused() -> StoreError:
    return StoreError("this history was opened for reading only: nothing can be added to it")
