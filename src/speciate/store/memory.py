"""A history in memory: for tests, trials and runs that nobody wants to keep."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from typing_extensions import override

from speciate.errors import RunFolderError, StoreCorruptError, StoreError
from speciate.records import Event, Json, Key, Ordinal, Seconds, TextHash, key, text_hash
from speciate.store.base import Session, Store, Stored


class MemoryStore(Store):
    """Keeps the whole history in this process; it ends with it."""

    def __init__(self) -> None:
        self._events: list[Stored] = []
        self._by_ordinal: defaultdict[Ordinal, list[Stored]] = defaultdict(list)
        self._keys: set[Key] = set()
        self._texts: dict[TextHash, str] = {}
        self._manifest: Mapping[str, Json] | None = None
        self._sessions: list[Session] = []
        self._closed = False

    @override
    async def append(self, events: Sequence[Event], texts: Mapping[TextHash, str] | None = None) -> None:
        self._check_open()
        for digest, text in (texts or {}).items():
            if text_hash(text) != digest:
                raise StoreCorruptError(f"a text does not match its hash {digest}; nothing was added")
        keys = {key(event) for event in events}
        if len(keys) < len(events) or keys & self._keys:
            raise StoreCorruptError("the history has an event with the same key already; nothing was added")
        self._keys |= keys
        self._texts.update(texts or {})
        for event in events:
            stored = Stored(len(self._events) + 1, event, time.time())
            self._events.append(stored)
            self._by_ordinal[event.ordinal].append(stored)

    @override
    def events(self, *, after: int = 0, ordinal: int | None = None) -> Iterator[Stored]:
        if ordinal is not None:
            yield from (s for s in list(self._by_ordinal.get(ordinal, ())) if s.seq > after)
            return
        for index in range(after, len(self._events)):
            yield self._events[index]

    @override
    def text(self, digest: TextHash) -> str:
        if digest not in self._texts:
            raise StoreCorruptError(f"there is no text {digest} in the history")
        return self._texts[digest]

    @override
    def begin(self, manifest: Mapping[str, Json]) -> None:
        self._check_open()
        if self._manifest is not None:
            raise StoreCorruptError("the run has been begun already")
        self._manifest = dict(manifest)

    @override
    def manifest(self) -> Mapping[str, Json]:
        if self._manifest is None:
            raise RunFolderError("the store holds no run yet: it was created and never begun")
        return self._manifest

    @override
    def open_session(self, facts: Mapping[str, Json]) -> int:
        self._check_open()
        number = len(self._sessions) + 1
        self._sessions.append(Session(number, time.time(), None, None, 0.0, dict(facts)))
        return number

    @override
    def update_session(self, number: int, *, seconds: Seconds, stop_reason: str | None = None) -> None:
        self._check_open()
        if not 1 <= number <= len(self._sessions):
            raise StoreCorruptError(f"there is no session {number}")
        session = replace(self._sessions[number - 1], seconds=seconds)
        if stop_reason is not None:
            session = replace(session, ended=time.time(), stop_reason=stop_reason)
        self._sessions[number - 1] = session

    @override
    def sessions(self) -> Sequence[Session]:
        return list(self._sessions)

    @override
    def close(self) -> None:
        self._closed = True

    def _check_open(self) -> None:
        if self._closed:
            raise StoreError("the store is closed")
