"""Reading a history from a relational database."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from pydantic import ValidationError
from sqlalchemy import Executable, select
from typing_extensions import override

from speciate.errors import RunFolderError, StoreCorruptError, StoreError
from speciate.records import Event, Json, TextHash, from_json, text_hash
from speciate.store import sqlite
from speciate.store.base import Session, Stored, StoreReader
from speciate.store.migrations import check_version, version
from speciate.store.packing import Dictionaries
from speciate.store.recent import Recent
from speciate.store.schema import STEP_NAMES, VERSION, dictionaries, events, meta, parts, sessions, texts

_CHUNK = 1000
"""Events read at once. No read stays open between chunks, so a slow reader never holds up the log."""

_KILLED = "whoever made it was stopped before the run began; run the same command again"

_CACHED_CHARACTERS = 4_000_000

_EVENTS = select(
    events.c.seq,
    events.c.ordinal,
    events.c.attempt,
    events.c.step,
    parts.c.part,
    events.c.at,
    events.c.codec,
    events.c.payload,
).outerjoin(parts, events.c.part == parts.c.id)

_Row: TypeAlias = Sequence[Any]
"""A row of a result; what is in it only the query knows."""


class SqlReader(StoreReader):
    """A history in SQLite, read-only. One thread at a time.

    Args:
        path: the database file.

    Raises:
        RunFolderError: the database is empty.
        StoreError: it cannot be opened, or another version of speciate wrote it.
        StoreCorruptError: it is damaged.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._read = sqlite.connect_reader(path)
        self._dictionaries = Dictionaries(self._dictionary)
        self._texts: Recent[TextHash, str] = Recent(_CACHED_CHARACTERS, len)
        try:
            self._check_version()
        except BaseException:
            self._read.close()
            raise

    def _check_version(self) -> None:
        with sqlite.translated(self.path):
            found = version(self._read)
        check_version(found)
        if found == 0:
            raise RunFolderError(f"{self.path} holds no run yet: {_KILLED}")
        if found < VERSION:
            raise StoreError(
                f"{self.path} was written by an older speciate (schema {found}): "
                "`speciate resume` brings it up to date, then it can be read"
            )

    @override
    def events(self, *, after: int = 0, ordinal: int | None = None) -> Iterator[Stored]:
        while rows := self._chunk(after, ordinal):
            for row in rows:
                if ordinal is None and row[0] != after + 1:
                    gap = f"events {after + 1} to {row[0] - 1} are missing"
                    what = gap if row[0] > after else f"what follows event {after} is damaged"
                    raise StoreCorruptError(f"{self.path}: {what}; restore the database from a copy")
                after = row[0]
                yield self._stored(row)
            if len(rows) < _CHUNK:
                return

    def _chunk(self, after: int, ordinal: int | None) -> Sequence[_Row]:
        query = _EVENTS.where(events.c.seq > after).order_by(events.c.seq).limit(_CHUNK)
        if ordinal is not None:
            query = query.where(events.c.ordinal == ordinal)
        with sqlite.translated(self.path):
            return self._read.execute(query).all()

    def _stored(self, row: _Row) -> Stored:
        seq, ordinal, attempt, step, part, at, codec, payload = row
        try:
            if part is None:
                raise KeyError("its part is missing")
            data = self._dictionaries.unpack(codec, payload)
            event: Event = from_json(data, (ordinal, attempt, STEP_NAMES[step], part))
        except (KeyError, ValidationError, zlib.error) as error:
            raise StoreCorruptError(
                f"{self.path}: event {seq} of candidate {ordinal} cannot be read ({error}): "
                "restore the database from a copy"
            ) from error
        return Stored(seq, event, at / 1000)

    @override
    def text(self, digest: TextHash) -> str:
        known = self._texts.get(digest)
        if known is not None:
            return known
        text = self._load_text(digest)
        self._texts.put(digest, text)
        return text

    def _load_text(self, digest: TextHash) -> str:
        try:
            query = select(texts.c.codec, texts.c.data).where(texts.c.hash == bytes.fromhex(digest))
        except ValueError as error:
            raise StoreCorruptError(f"{self.path}: there is no text {digest!r}: that is no hash") from error
        row = self._one(query)
        if row is None:
            raise StoreCorruptError(
                f"{self.path}: there is no text {digest}; restore the database from a copy"
            )
        try:
            codec, data = row
            text = self._dictionaries.unpack(codec, data).decode("utf-8", "surrogatepass")
        except (KeyError, UnicodeDecodeError, zlib.error) as error:
            raise StoreCorruptError(
                f"{self.path}: text {digest} cannot be read ({error}); restore the database from a copy"
            ) from error
        if text_hash(text) != digest:
            raise StoreCorruptError(
                f"{self.path}: text {digest} does not match its hash; restore the database from a copy"
            )
        return text

    def _dictionary(self, codec: int) -> bytes:
        row = self._one(select(dictionaries.c.data).where(dictionaries.c.id == codec))
        if row is None:
            raise KeyError(f"no dictionary {codec}")
        return zlib.decompress(row[0])

    @override
    def manifest(self) -> Mapping[str, Json]:
        row = self._one(select(meta.c.value).where(meta.c.name == "manifest"))
        if row is None:
            raise RunFolderError(f"{self.path} holds no run yet: {_KILLED}")
        manifest: Mapping[str, Json] = self._json(row[0], "the manifest")
        return manifest

    @override
    def sessions(self) -> Sequence[Session]:
        with sqlite.translated(self.path):
            rows = self._read.execute(select(sessions).order_by(sessions.c.number)).all()
        return [
            Session(
                r.number,
                r.started,
                r.ended,
                r.stop_reason,
                r.seconds,
                self._json(r.facts, f"session {r.number}"),
            )
            for r in rows
        ]

    def _json(self, raw: str, what: str) -> Any:
        try:
            return json.loads(raw)
        except (ValueError, TypeError) as error:
            raise StoreCorruptError(
                f"{self.path}: {what} cannot be read ({error}); restore the database from a copy"
            ) from error

    def _one(self, query: Executable) -> _Row | None:
        with sqlite.translated(self.path):
            return self._read.execute(query).one_or_none()

    @override
    def close(self) -> None:
        self._read.close()
